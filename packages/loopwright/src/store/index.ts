/** The store: what is written durably, and how it is read back without ever taking damage for absence. */
export {
  type AgentFile,
  type AgentFileOptions,
  listAgentDirectory,
  readAgentFile,
} from "./agent-file.ts";
export { diskError, errorCode } from "./disk-error.ts";
export { type Disk, systemDisk } from "./disk.ts";
export {
  createDurable,
  makeDirectoryDurable,
  type WriteOptions,
  writeDurable,
} from "./durable-write.ts";
export type { IterationLayout } from "./iteration-layout.ts";
export type { JournalLine, JournalRecord } from "./journal-line.ts";
export { type JournalPosition, type LoadedJournal, readJournal } from "./journal-reader.ts";
export { type JournalTail, tailJournal, type TailNews } from "./journal-tail.ts";
export { isFatal, type Journal, type JournalOptions, openJournal } from "./journal.ts";
export { type GoalLayout, goalLayout, type RuntimeLayout, runtimeLayout } from "./layout.ts";
export { appendRow, type BadLine, readRows } from "./line-file.ts";
export type { LockFile } from "./lock-files.ts";
export {
  type Lock,
  type LockState,
  readLock,
  takeLock,
  type TakeOptions,
  type TakeResult,
} from "./lock.ts";
export { clearPlace, makeOwnDirectory } from "./own-directory.ts";
export { openWithoutBlocking } from "./regular-file.ts";
export { isPathSegment, pathSegment } from "./path-segment.ts";
export { parseJson, readJson, readJsonIfPresent, type ReadOptions, readText } from "./read.ts";
export { ensureReserve, releaseReserve } from "./reserve.ts";
export { createSessionDirectory, type NewSession } from "./session-directory.ts";
export {
  childSessionId,
  compareSessionIds,
  goalHash,
  isSessionId,
  sessionIdFor,
} from "./session-id.ts";
export { type EvaluationLayout, type SessionLayout, sessionLayout } from "./session-layout.ts";
export { listSessions, resolveSession } from "./session-lookup.ts";
