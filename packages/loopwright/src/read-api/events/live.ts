import { join } from "node:path";
import { iterationLayout } from "../../store/iteration-layout.ts";
import type { ReadModel } from "../model.ts";
import type { SessionRecord } from "../session/open-record.ts";
import { readSlice, sizeOf } from "../views/text-file.ts";

const TAIL_BYTES = 4 * 1024;
const TAIL_LINES = 8;

/** How things stand now, for `live` events: of one session its task with the last output, else counts over all goals. */
export function liveOf(
  model: ReadModel,
  filter: { readonly goalId: string | undefined; readonly sessionId: string | undefined },
): object {
  if (filter.sessionId !== undefined) {
    const found = model.record(filter.sessionId, filter.goalId);
    return found === undefined ? {} : sessionLive(found.record);
  }
  if (filter.goalId !== undefined) return model.goal(filter.goalId)?.status ?? {};
  return model.totals();
}

function sessionLive({ id, goalId, layout, journal }: SessionRecord): object {
  const { task, seq, spent, iterations } = journal.state();
  const head = { goal_id: goalId, session_id: id, seq, iterations, cost_usd: spent.cost_usd };
  if (task === null) return { ...head, task: null };
  const { stdoutRaw } = iterationLayout(join(layout.directory, task.directory));
  const size = sizeOf(stdoutRaw) ?? 0;
  const tail = readSlice(stdoutRaw, Math.max(0, size - TAIL_BYTES), TAIL_BYTES);
  return {
    ...head,
    task: { kind: task.kind, iteration: task.iteration, started_at: task.started_at },
    output_bytes: size,
    last_lines: (tail?.text ?? "").trimEnd().split("\n").slice(-TAIL_LINES),
  };
}
