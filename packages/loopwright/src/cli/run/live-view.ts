import type { JournalLine, PauseReason } from "@loopwright/protocol";
import { describeRecord } from "../../read-api/words/describe-record.ts";
import { clockTime } from "../../read-api/words/numbers.ts";
import type { Output } from "../output/output.ts";

/** Tells what happens as it happens, in plain lines. */
export function showLine(output: Output, line: JournalLine): void {
  for (const record of line.records) {
    const { weight, text, below = [] } = describeRecord(record);
    if (weight !== "main") continue;
    output.line(`${output.style("dim", clockTime(line.at))}  ${text}`);
    const advice = record.type === "paused" ? [pauseAdvice(record.data)] : [];
    for (const extra of [...below, ...advice])
      output.line(`          ${output.style("dim", extra)}`);
  }
}

/** For whoever looks on: nothing moves from now on, and that isn't a fault. */
export function pauseAdvice({ reason }: { readonly reason: PauseReason }): string {
  return reason === "disk"
    ? "It goes on by itself when there is room again; Ctrl-C ends the session."
    : "Nothing starts until: loopwright resume (in another terminal); Ctrl-C ends the session.";
}
