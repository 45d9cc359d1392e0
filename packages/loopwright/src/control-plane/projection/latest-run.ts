import { closeSync } from "node:fs";
import { runRow, type RunRow } from "@loopwright/protocol";
import { errorCode } from "../../store/disk-error.ts";
import { recommendingRun } from "../drift/plan-drift.ts";
import { openWithoutBlocking, readUpTo } from "../../store/regular-file.ts";

/** Rows are far shorter, so that the last one lies in here. */
const TAIL = 64 * 1024;

export interface LatestRuns {
  readonly latest: RunRow | null;
  /** The newest that recommends something. */
  readonly recommending: RunRow | null;
}

/** The last rows of a run index that can be read, from its end: the cost doesn't grow with the index. */
export function latestRunsOf(path: string): LatestRuns {
  let latest: RunRow | null = null;
  for (const text of tailOf(path).split("\n").toReversed()) {
    const row = rowOf(text);
    if (row === undefined) continue;
    latest ??= row;
    if (recommendingRun([row]) !== null) return { latest, recommending: row };
  }
  return { latest, recommending: null };
}

function rowOf(text: string): RunRow | undefined {
  if (text === "") return undefined;
  try {
    const parsed = runRow.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

function tailOf(path: string): string {
  try {
    const { fd, stats } = openWithoutBlocking(path, { followLinks: true });
    try {
      if (!stats.isFile()) return "";
      return readUpTo(fd, TAIL, Math.max(0, stats.size - TAIL)).toString("utf8");
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return "";
  }
}
