import { createHash } from "node:crypto";
import { lstatSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import { LoopwrightError, result as resultSchema, type Result } from "@loopwright/protocol";
import { readAgentFile } from "../store/agent-file.ts";
import { writeDurable } from "../store/durable-write.ts";
import type { IterationLayout } from "../store/iteration-layout.ts";
import { makeOwnDirectory } from "../store/own-directory.ts";
import type { WorkerSeams } from "./worker-seams.ts";

export interface StoredResult {
  readonly result: Result;
  /** Of the file's bytes. */
  readonly sha256: string;
}

const RESULT_LIMIT = 4 * 1024 * 1024;
const FULL_DISK_PAUSE_MS = 1_000;

/**
 * Writes `result.json` durably, last of all files. On a full disk it waits for room, because what was paid for must
 * not be lost. `undefined`: `signal` aborted first.
 */
export async function writeResult(
  { disk, clock }: Pick<WorkerSeams, "disk" | "clock">,
  layout: Pick<IterationLayout, "directory" | "result">,
  result: Result,
  signal: AbortSignal,
): Promise<StoredResult | undefined> {
  const text = `${JSON.stringify(result, undefined, 2)}\n`;
  while (!signal.aborted) {
    try {
      makeOwnDirectory(disk, dirname(dirname(layout.directory)), layout.directory);
      moveAside(layout.result);
      writeDurable(disk, layout.result, text);
      return { result, sha256: sha256(text) };
    } catch (error) {
      if (!(error instanceof LoopwrightError) || !error.retryable) throw error;
      await clock.sleep(FULL_DISK_PAUSE_MS, signal);
    }
  }
  return undefined;
}

/** The result that a worker before us wrote for this very attempt, if it did. */
export function readStoredResult(
  layout: IterationLayout,
  attemptId: string,
): StoredResult | undefined {
  const file = readAgentFile(layout.result, { root: layout.directory, maxBytes: RESULT_LIMIT });
  if (file.kind !== "text") return undefined;
  try {
    const parsed = resultSchema.safeParse(JSON.parse(file.text));
    if (!parsed.success || parsed.data.attempt_id !== attemptId) return undefined;
    return { result: parsed.data, sha256: sha256(file.text) };
  } catch {
    return undefined;
  }
}

/** A directory can't be replaced by renaming a file over it. Nobody but an agent puts one there. */
function moveAside(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) renameSync(path, `${path}.found`);
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
