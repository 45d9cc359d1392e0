import { dirname } from "node:path";
import { LoopwrightError } from "@loopwright/protocol";
import { readAgentFile } from "../../store/agent-file.ts";
import type { Disk } from "../../store/disk.ts";
import { createDurable, makeDirectoryDurable, writeDurable } from "../../store/durable-write.ts";
import { OBJECTIVE_PENDING } from "./objective.ts";
import { digestOfText, SECTIONS } from "./parse-active-state.ts";

export interface NewActiveState {
  readonly goalId: string;
  readonly objective: string;
  readonly at: string;
}

/** A larger one is no notebook any more. */
const LIMIT = 4 * 1024 * 1024;

/**
 * The text of `ACTIVE_STATE.md`; undefined when there is none. Agents can reach it: neither a link nor a pipe is
 * followed. Throws FILE_UNSAFE.
 */
export function readActiveState(path: string): string | undefined {
  const file = readAgentFile(path, { maxBytes: LIMIT });
  if (file.kind === "text") return file.text;
  if (file.kind === "absent") return undefined;
  throw new LoopwrightError("FILE_UNSAFE", `${path} ${file.reason}`, {
    where: path,
    hint: "Put a plain file of at most 4 MiB there.",
  });
}

/**
 * Replaces the text, if it is still the one that was read. False, and nothing is changed, when somebody was faster: read
 * it again. A crash leaves the old text or the new one. Throws FILE_UNSAFE, DISK_FULL, DISK_FAILED.
 * @param from digest of the text that was read; null: there was none
 */
export function replaceActiveState(
  disk: Disk,
  path: string,
  from: string | null,
  text: string,
): boolean {
  if (from === null) {
    makeDirectoryDurable(disk, dirname(path));
    return createDurable(disk, path, text);
  }
  const now = readActiveState(path);
  if (now === undefined || digestOfText(now) !== from) return false;
  writeDurable(disk, path, text);
  return true;
}

/** Makes `ACTIVE_STATE.md` if there is none; an existing one belongs to its people. Returns whether it was made. */
export function createActiveState(disk: Disk, path: string, state: NewActiveState): boolean {
  makeDirectoryDurable(disk, dirname(path));
  return createDurable(disk, path, renderActiveState(state));
}

/** Puts the objective in where still none stands. Leaves a file alone that is missing or that somebody has edited. */
export function fillObjective(disk: Disk, path: string, objective: string): boolean {
  const text = readActiveState(path);
  if (text === undefined || !text.includes(OBJECTIVE_PENDING)) return false;
  const filled = text.replace(OBJECTIVE_PENDING, () => objective);
  return replaceActiveState(disk, path, digestOfText(text), filled);
}

/** A new one, with all sections empty but the objective. */
export function renderActiveState({ goalId, objective, at }: NewActiveState): string {
  const front = `---\ngoal_id: ${JSON.stringify(goalId)}\nupdated_at: ${at}\n---\n`;
  const sections = SECTIONS.map((name) =>
    name === "Objective" ? `\n## ${name}\n\n${objective}\n` : `\n## ${name}\n`,
  );
  return `${front}${sections.join("")}`;
}
