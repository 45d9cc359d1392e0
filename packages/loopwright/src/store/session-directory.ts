import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import { LoopwrightError } from "@loopwright/protocol";
import { diskError } from "./disk-error.ts";
import type { Disk } from "./disk.ts";
import { makeDirectoryDurable } from "./durable-write.ts";
import { encodeLine, type JournalRecord } from "./journal-line.ts";
import { exists } from "./lock-files.ts";
import { type SessionLayout, sessionLayout } from "./session-layout.ts";

export interface NewSession {
  /** The goal text; `goal.md` keeps exactly this. */
  readonly goalText: string;
  /** Content of `session.json`. */
  readonly session: object;
  /** The journal's first line: without one a session doesn't exist. */
  readonly first: {
    readonly at: string;
    readonly epoch: number;
    readonly records: readonly JournalRecord[];
  };
}

/**
 * Makes a session directory at `directory`. It appears complete or not at all: built under a hidden name beside its
 * place, every file synced, then renamed once. A crash before the rename leaves `.creating-…`, which nobody reads.
 * Throws SESSION_RUNNING when the directory exists, DISK_FULL or DISK_FAILED.
 */
export function createSessionDirectory(
  disk: Disk,
  directory: string,
  content: NewSession,
): SessionLayout {
  if (exists(directory)) {
    throw new LoopwrightError("SESSION_RUNNING", `The session ${directory} exists already`, {
      where: directory,
    });
  }
  const parent = dirname(directory);
  makeDirectoryDurable(disk, parent);
  const building = sessionLayout(join(parent, `.creating-${randomBytes(8).toString("hex")}`));
  try {
    build(disk, building, content);
    disk.rename(building.directory, directory);
    disk.syncDirectory(parent);
  } catch (error) {
    throw diskError(error, directory);
  }
  return sessionLayout(directory);
}

function build(disk: Disk, session: SessionLayout, content: NewSession): void {
  disk.mkdir(session.directory);
  for (const directory of [
    session.projectState,
    session.requests,
    session.requestsDone,
    session.inputs,
    session.iterations,
    session.evaluations,
  ]) {
    disk.mkdir(directory);
  }
  disk.syncDirectory(session.projectState);
  disk.syncDirectory(session.requests);
  disk.createExclusive(session.goal, content.goalText);
  disk.createExclusive(session.session, `${JSON.stringify(content.session, null, 2)}\n`);
  disk.createExclusive(session.journal, encodeLine({ seq: 1, prev: "", ...content.first }));
  disk.syncDirectory(session.directory);
}
