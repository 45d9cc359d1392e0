import { runInNewContext } from "node:vm";
import { type CheckResult, formatDuration, type FrozenCheck } from "@loopwright/protocol";
import type { CommandEnd } from "./run-command.ts";

export type Verdict = Pick<CheckResult, "outcome" | "exit_code" | "signal" | "detail">;

/**
 * What the end of a command check means. Only a program that ran to its own end can pass or fail; everything that
 * says nothing about the goal is an error: it couldn't start (also exits 126 and 127), a signal, the time limit.
 * @param stdout its last part, as text; called only where the check looks at it
 */
export function commandVerdict(
  check: FrozenCheck,
  end: CommandEnd["end"],
  stdout: () => string,
): Verdict {
  switch (end.kind) {
    case "not_started":
      return error(`It could not be started: ${end.reason}`);
    case "timed_out":
      return error(`It took longer than ${formatDuration(check.timeout)} and was ended.`);
    case "too_much_output":
      return error("It printed more than 256 MiB and was ended.");
    case "cancelled":
      return error("It was ended because the verification was cancelled.");
    case "exit":
      return exitVerdict(check, end.exit, stdout);
  }
}

function exitVerdict(
  check: FrozenCheck,
  { code, signal, lost }: { code: number | null; signal: string | null; lost?: true },
  stdout: () => string,
): Verdict {
  if (lost === true) return error("Its supervisor died, so nobody knows how it ended.");
  if (code === null)
    return { ...error(`It was ended by ${signal ?? "an unknown signal"}.`), signal };
  const { exit, stdout_matches: pattern } = check.expect;
  if (code !== exit) {
    const found = { exit_code: code, signal: null };
    if (code === 126 || code === 127) {
      const why = code === 127 ? "the command was not found" : "the command could not be executed";
      return { ...error(`It exited with ${code}: ${why}.`), ...found };
    }
    return { outcome: "fail", detail: `It exited with ${code}, expected ${exit}.`, ...found };
  }
  const passed: Verdict = { outcome: "pass", exit_code: code, signal: null, detail: "" };
  if (pattern === undefined) return passed;
  const matches = matchBounded(pattern, stdout());
  if (matches === true) return passed;
  if (matches === undefined)
    return { ...error("Matching stdout_matches took longer than 2s."), exit_code: code };
  return {
    ...passed,
    outcome: "fail",
    detail: `Its output does not match /${pattern.slice(0, 200)}/.`,
  };
}

/** undefined: gave up. A pattern that backtracks without end must not hold up the verdict of a whole night. */
function matchBounded(pattern: string, text: string): boolean | undefined {
  try {
    const sandbox = { pattern, text };
    return (
      runInNewContext("new RegExp(pattern, 'm').test(text)", sandbox, { timeout: 2_000 }) === true
    );
  } catch {
    return undefined;
  }
}

function error(detail: string): Verdict {
  return { outcome: "error", exit_code: null, signal: null, detail: detail.slice(0, 500) };
}
