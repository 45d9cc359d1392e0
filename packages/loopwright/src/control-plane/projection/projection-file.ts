import { hash } from "node:crypto";
import { LoopwrightError, type Projection } from "@loopwright/protocol";
import { writeDurable } from "../../store/durable-write.ts";
import type { Disk } from "../../store/disk.ts";
import { runtimeLayout } from "../../store/layout.ts";
import { makeOwnDirectory } from "../../store/own-directory.ts";
import { readText } from "../../store/read.ts";

/**
 * Replaces `projections/<goal-id>.json`. For the holder of the goal's lock only. Not synced: a reader who finds an old
 * one derives anew. Throws DISK_FULL or DISK_FAILED.
 */
export function writeProjection(disk: Disk, runtimeRoot: string, written: Projection): void {
  const layout = runtimeLayout(runtimeRoot);
  makeOwnDirectory(disk, layout.root, layout.projections);
  const whole = JSON.stringify(written);
  const text = `${whole.slice(0, -1)},"sum":"${sumOf(whole)}"}\n`;
  writeDurable(disk, layout.projection(written.goal_id), text, { durable: false });
}

/** As it was written, however old; undefined when there is none, or one that isn't exactly what was written. */
export function readProjection(runtimeRoot: string, goalId: string): Projection | undefined {
  const text = textOf(runtimeLayout(runtimeRoot).projection(goalId));
  const sum = SUM.exec(text?.slice(-SUM_LENGTH) ?? "")?.[1];
  if (text === undefined || sum === undefined) return undefined;
  const whole = `${text.slice(0, -SUM_LENGTH)}}`;
  if (sumOf(whole) !== sum) return undefined;
  const written = JSON.parse(whole) as Projection;
  return written.goal_id === goalId ? written : undefined;
}

/**
 * To be counted up with every change of what a projection holds: what another version of the program wrote is then
 * derived anew, and what this one wrote needs no validation, which would cost more than all the rest.
 */
const SHAPE = "loopwright projection 2";

/** `,"sum":"0123456789abcdef"}` and a newline. */
const SUM_LENGTH = 27;
const SUM = /^,"sum":"([0-9a-f]{16})"\}\n$/;

function sumOf(text: string): string {
  return hash("sha256", `${SHAPE} ${text}`, "hex").slice(0, 16);
}

function textOf(path: string): string | undefined {
  try {
    return readText(path, { maxBytes: 4 * 1024 * 1024 });
  } catch (error) {
    if (error instanceof LoopwrightError) return undefined;
    throw error;
  }
}
