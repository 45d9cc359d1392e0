import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { LoopwrightError } from "@loopwright/protocol";
import { errorCode } from "./disk-error.ts";
import { compareSessionIds, isSessionId, sessionIdParts } from "./session-id.ts";

/** The ids of a goal's top sessions, oldest first. Half-made session directories don't count. */
export function listSessions(sessionsDirectory: string): string[] {
  try {
    return readdirSync(sessionsDirectory).filter(isSessionId).sort(compareSessionIds);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

/**
 * The full id for a full id (of a child, too), a unique prefix of a top session's id, or `latest`.
 * Throws SESSION_NOT_FOUND or SESSION_AMBIGUOUS.
 */
export function resolveSession(sessionsDirectory: string, query: string): string {
  if (isSessionId(query)) {
    const { root, children } = sessionIdParts(query);
    const path = [root, ...children.flatMap((child) => ["children", child])];
    if (existsSync(join(sessionsDirectory, ...path))) return query;
  }
  const ids = listSessions(sessionsDirectory);
  const last = ids.at(-1);
  if (last === undefined) {
    throw new LoopwrightError("SESSION_NOT_FOUND", `There is no session in ${sessionsDirectory}`, {
      hint: "Begin one with: loopwright run",
    });
  }
  if (query === "latest") return last;
  const matches = query === "" ? [] : ids.filter((id) => id.startsWith(query));
  if (matches.length === 1 && matches[0] !== undefined) return matches[0];
  const shown = JSON.stringify(query.slice(0, 120));
  if (matches.length === 0) {
    throw new LoopwrightError("SESSION_NOT_FOUND", `No session begins with ${shown}`, {
      hint: `The latest is ${last}.`,
    });
  }
  throw new LoopwrightError("SESSION_AMBIGUOUS", `${matches.length} sessions begin with ${shown}`, {
    hint: `Give more of the id: ${matches.slice(-5).join(", ")}.`,
  });
}
