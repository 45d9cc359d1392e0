import type { JournalLine } from "@loopwright/protocol";
import { describeRecord } from "../../read-api/words/describe-record.ts";
import { clockTime } from "../../read-api/words/numbers.ts";
import type { Output } from "../output/output.ts";

/** Tells what happens as it happens, in plain lines. */
export function showLine(output: Output, line: JournalLine): void {
  for (const record of line.records) {
    const { weight, text, below = [] } = describeRecord(record);
    if (weight !== "main") continue;
    output.line(`${output.style("dim", clockTime(line.at))}  ${text}`);
    for (const extra of below) output.line(`          ${output.style("dim", extra)}`);
  }
}
