import { createHash } from "node:crypto";
import { LoopwrightError, result, type Result } from "@loopwright/protocol";
import { readAgentFile } from "../../store/agent-file.ts";
import type { IterationLayout } from "../../store/iteration-layout.ts";
import { parseJson } from "../../store/read.ts";
import { finishedOf } from "../finished-occurrence.ts";
import type { LiveTask, RecoveryContext } from "./context.ts";
import { writeRecovery } from "./recovery-file.ts";

const RESULT_LIMIT = 4 * 1024 * 1024;

/** Step 1: a stored `result.json` of the live attempt is recorded exactly like one that was reported. */
export function recoverResult(
  context: RecoveryContext,
  task: LiveTask,
  files: IterationLayout,
): boolean {
  const stored = readStoredResult(files, context.layout.directory);
  if (stored === undefined || !isOf(stored.result, context, task)) return false;
  const finished = finishedOf(stored.result, {
    resultSha256: stored.sha256,
    liveMs: context.liveMs(),
    recovered: true,
    switched: context.switched(),
  });
  context.commit({ kind: "finished", finished });
  writeRecovery(
    context,
    files,
    task,
    "recovered_result",
    "Its worker died after it had written the result.",
  );
  return true;
}

/** The whole and valid result at its place; undefined for anything else, which then counts as not written. */
export function readStoredResult(
  files: IterationLayout,
  root: string,
): { result: Result; sha256: string } | undefined {
  const file = readAgentFile(files.result, { root, maxBytes: RESULT_LIMIT });
  if (file.kind !== "text") return undefined;
  try {
    return {
      result: parseJson(files.result, file.text, result),
      sha256: createHash("sha256").update(file.text).digest("hex"),
    };
  } catch (error) {
    if (error instanceof LoopwrightError) return undefined;
    throw error;
  }
}

function isOf(found: Result, context: RecoveryContext, task: LiveTask): boolean {
  return (
    task.kind === "workflow" &&
    found.session_id === context.state().session_id &&
    found.attempt_id === task.attempt_id &&
    found.iteration === task.iteration &&
    found.workflow_id === task.workflow_id
  );
}
