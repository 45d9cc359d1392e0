import { createHash } from "node:crypto";
import { LoopwrightError } from "@loopwright/protocol";

const SESSION_ID = /^(\d{8}T\d{6}Z-[0-9a-f]{12}(?:-[1-9]\d*)?)((?:-c\d{2,4})*)$/;

/**
 * `<YYYYMMDDTHHMMSSZ>-<first 12 hex of the goal text's sha256>`, with `-2`, `-3`, … while `taken` says so.
 * Sorts by time; sessions of one goal text share the hash.
 */
export function sessionIdFor(
  goalText: string,
  wallMs: number,
  taken: (id: string) => boolean,
): string {
  const time = new Date(wallMs).toISOString().replace(/[-:]|\.\d+/g, "");
  const first = `${time}-${goalHash(goalText).slice(0, 12)}`;
  let id = first;
  for (let k = 2; taken(id); k += 1) id = `${first}-${k}`;
  return id;
}

/** The id of a session's `k`-th child (from 1): the same after every restart. */
export function childSessionId(parentId: string, k: number): string {
  return `${parentId}-c${String(k).padStart(2, "0")}`;
}

/** sha256 of the exact goal text, 64 hex digits. */
export function goalHash(goalText: string): string {
  return createHash("sha256").update(goalText).digest("hex");
}

export function isSessionId(name: string): boolean {
  return SESSION_ID.test(name);
}

/** The top session's id, and the ids of the children on the way down. Throws SESSION_NOT_FOUND for anything else. */
export function sessionIdParts(sessionId: string): { root: string; children: string[] } {
  const match = SESSION_ID.exec(sessionId);
  if (match === null) {
    const shown = JSON.stringify(sessionId.slice(0, 120));
    throw new LoopwrightError("SESSION_NOT_FOUND", `${shown} is not a valid session id`);
  }
  const root = match[1] ?? "";
  const children: string[] = [];
  for (const suffix of (match[2] ?? "").split("-").slice(1)) {
    children.push(`${children.at(-1) ?? root}-${suffix}`);
  }
  return { root, children };
}

/** Order of time; of one second and goal text, `-2` before `-10`. */
export function compareSessionIds(a: string, b: string): number {
  return sortKey(a) < sortKey(b) ? -1 : sortKey(a) > sortKey(b) ? 1 : 0;
}

function sortKey(id: string): string {
  return id.replace(/\d+/g, (digits) => digits.padStart(12, "0"));
}
