/** Goals out of the way and back, with nothing lost whatever cuts the move off. */
export { archiveRuntimeGoal, type ArchiveRequest } from "./archive-runtime-goal.ts";
export { latestArchiveOf } from "./find-archive.ts";
export { type ArchivedGoal, listArchives } from "./list-archives.ts";
export { type ArchivePayload, refusalOf } from "./payload.ts";
export { renderArchiveMarkdown, renderRestoreMarkdown } from "./render-archive.ts";
export { restoreArchivedGoal } from "./restore-archived-goal.ts";
export { refuseArchived } from "./schedulable.ts";
