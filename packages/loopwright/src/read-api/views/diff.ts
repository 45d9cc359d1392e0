import { join } from "node:path";
import { createRedactor } from "../../agents/redaction/redactor.ts";
import { fileDiff } from "../../git/index.ts";
import type { GoalLayout } from "../../store/layout.ts";
import type { SessionRecord } from "../session/open-record.ts";
import { iterationFiles } from "./iteration.ts";
import { recordOf } from "./iterations.ts";

/** What an iteration did to one file. `available` false: the trees aren't kept any more. */
export async function diffView(
  session: SessionRecord,
  goal: Pick<GoalLayout, "directory">,
  n: number,
  file: string,
): Promise<object> {
  iterationFiles(session, n);
  const place = session.journal.iteration(n);
  const ended = place?.ended ?? null;
  const [end] = ended === null ? [] : session.journal.lines(ended, ended + 1);
  const changes = end && recordOf(end, "task_finished", n)?.changes;
  const head = { schema_version: 1, session_id: session.id, iteration: n, file };
  const [before, after] = [changes?.tree_digest_before, changes?.tree_digest];
  if (before === null || before === undefined || after === null || after === undefined)
    return { ...head, available: false };
  const cache = join(goal.directory, "checkout-cache");
  const diff = await fileDiff(cache, session.file().repository, { before, after }, file);
  if (!diff.available) return { ...head, available: false };
  return { ...head, ...diff, text: createRedactor(process.env).text(diff.text) };
}
