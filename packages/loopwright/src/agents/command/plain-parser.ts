import { TEXT_LIMIT } from "@loopwright/protocol";
import type { Outcome, OutputParser, RunEnd } from "../port.ts";
import { createTextTail } from "../text-tail.ts";

/** No dialect: nothing in the output means anything. Exit 0 is `ok`; the text is the last 64 KiB of stdout. */
export function createPlainParser(): OutputParser {
  const stdout = createTextTail(TEXT_LIMIT);
  const stderr = createTextTail(400);
  return {
    push(line, stream, complete) {
      const text = complete ? `${line}\n` : line;
      (stream === "stdout" ? stdout : stderr).push(text);
      return [{ type: "text", text, stream }];
    },
    end: (exit) => ({
      ...plainOutcome(exit, stderr.toString()),
      text: stdout.toString(),
      ...NOTHING,
    }),
  };
}

const NOTHING = {
  denials: 0,
  endedDenied: false,
  agentSessionId: null,
  usage: null,
  costUsd: null,
  resetAt: null,
} as const;

/** `stderr`: its end, quoted as evidence only. */
export function plainOutcome(
  { code, signal }: RunEnd,
  stderr: string,
): Pick<Outcome, "outcome" | "cause" | "evidence" | "orderly"> {
  if (code === 0) return { outcome: "ok", orderly: true };
  if (code !== null) {
    const said = stderr.trim().split("\n").at(-1)?.trim() ?? "";
    const evidence =
      said === "" ? `exit code ${code}` : `exit code ${code}; last line of stderr: ${said}`;
    return { outcome: "failed", cause: "unknown", evidence, orderly: true };
  }
  const evidence = signal === null ? "nobody could record how it ended" : `ended by ${signal}`;
  return { outcome: "failed", cause: "crash", evidence, orderly: false };
}
