import { createEventHub } from "../../read-api/events/event-hub.ts";
import { followOne } from "../../read-api/events/follow-one.ts";
import { type ReadModel, totalsOf } from "../../read-api/model.ts";
import { openRecord, type SessionRecord } from "../../read-api/session/open-record.ts";
import type { Assembly } from "../assemble.ts";
import { readModelOf } from "../read-model.ts";

/**
 * The read API over this coordinator's one session. How it stands comes from memory; pages of the past are read from
 * the journal, which is opened for that when somebody first asks.
 */
export function wholeModelOf(assembly: Assembly, version: string): ReadModel {
  const { file, goal, layout } = assembly;
  const own = readModelOf(assembly);
  const hub = createEventHub(`e${assembly.service.state().epoch}`);
  let opened: SessionRecord | undefined;
  const record = (): SessionRecord => {
    opened ??= openRecord(file.goal_id, file.session_id, layout);
    opened.journal.poll();
    return opened;
  };
  followOne(assembly.seams.clock, hub, record, assembly.onProblem);
  const view = () => own.session(file.session_id);
  const attention = () => view()?.attention ?? [];

  return {
    version,
    hub,
    onlySession: file.session_id,
    refresh: () => Promise.resolve(),
    status: () => ({ ...own.status(), cursor: String(assembly.service.state().seq) }),
    goal(id) {
      const [status] = own.status().goals;
      if (id !== file.goal_id || status === undefined) return undefined;
      return {
        schema_version: 1,
        status,
        title: file.title,
        next_action: status.next_action,
        attention: attention(),
        sessions: [file.session_id],
      };
    },
    attention,
    totals: () => totalsOf(own.status().goals, attention()),
    session: (id) => own.session(id),
    record: (id) => (id === file.session_id ? { record: record(), goal } : undefined),
    recordsSince: () => [record()],
  };
}
