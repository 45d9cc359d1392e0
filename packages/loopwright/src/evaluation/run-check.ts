import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { CheckResult, FrozenCheck, Leftover } from "@loopwright/protocol";
import { readTail } from "./read-tail.ts";
import { type CommandRequest, runCommand, storeOutput } from "./run-command.ts";
import { commandVerdict, type Verdict } from "./verdict.ts";

export interface CheckRun {
  readonly result: CheckResult;
  readonly leftovers: Leftover[];
}

/** Part of the output that `stdout_matches` sees. */
const MATCHED_BYTES = 1024 * 1024;

/** Runs one check until it passes or its retries are used up. */
export async function runCheck(check: FrozenCheck, request: CommandRequest): Promise<CheckRun> {
  if (check.type === "file") return { result: fileResult(check, request.checkout), leftovers: [] };
  const leftovers: Leftover[] = [];
  for (let retry = 0; ; retry += 1) {
    const run = await runOnce(
      check,
      retry === 0 ? check.id : `${check.id}.retry-${retry}`,
      request,
    );
    leftovers.push(...run.leftovers);
    const again = run.result.outcome !== "pass" && retry < check.retries && !request.signal.aborted;
    // What could not be ended may still work in the tree: another run beside it would prove nothing.
    if (!again || leftovers.some(({ ended }) => !ended)) return { result: run.result, leftovers };
  }
}

async function runOnce(
  check: FrozenCheck,
  name: string,
  request: CommandRequest,
): Promise<CheckRun> {
  const detour = detourOf(request.checkout, check.cwd ?? "", "directory");
  if (detour !== undefined) {
    const reason = `${check.cwd} ${detour}.`;
    const verdict = commandVerdict(check, { kind: "not_started", reason }, () => "");
    return { result: resultOf(check, verdict, 0, null), leftovers: [] };
  }
  const { end, leftovers, duration, raw } = await runCommand(check, name, request);
  const verdict = commandVerdict(check, end, () => readTail(raw.stdout, MATCHED_BYTES));
  const output = `${name}.log`;
  await storeOutput(raw, join(request.directory, output), request.environment);
  const survived = leftovers.some(({ ended }) => !ended);
  const final: Verdict = survived
    ? { ...verdict, outcome: "error", detail: "Something that it started could not be ended." }
    : verdict;
  return { result: resultOf(check, final, duration, output), leftovers };
}

function fileResult(check: FrozenCheck, checkout: string): CheckResult {
  const path = check.path ?? "";
  const detour = detourOf(checkout, path, "file");
  const detail = detour === undefined ? "" : `${path} ${detour}.`;
  const outcome = detour === undefined ? "pass" : "fail";
  return resultOf(
    check,
    { outcome, exit_code: null, signal: null, detail: detail.slice(0, 500) },
    0,
    null,
  );
}

/** Half a sentence about what stands in the way of a real file or directory at this path; links are no way there. */
function detourOf(
  checkout: string,
  path: string,
  wanted: "file" | "directory",
): string | undefined {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  for (const at of parts.keys()) {
    const stat = lstatSync(join(checkout, ...parts.slice(0, at + 1)), { throwIfNoEntry: false });
    const isLast = at === parts.length - 1;
    if (stat === undefined) return "does not exist";
    if (stat.isSymbolicLink()) return isLast ? "is a symbolic link" : "lies behind a symbolic link";
    if (isLast && wanted === "file" && !stat.isFile()) return "is not a regular file";
    if ((!isLast || wanted === "directory") && !stat.isDirectory()) return "is not in a directory";
  }
  return undefined;
}

function resultOf(
  check: FrozenCheck,
  verdict: Verdict,
  duration: number,
  output: string | null,
): CheckResult {
  const { id, sha256, required } = check;
  return { id, sha256, required, ...verdict, duration_ms: duration, output };
}
