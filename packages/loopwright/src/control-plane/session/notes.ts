import type { JournalLine, JournalRecord, ProjectedSession } from "@loopwright/protocol";
import { createHolds, type Holds } from "./holds.ts";

/** What readers are told of a session and no decision depends on. Folded from the journal's lines, beside the state. */
export interface SessionNotes {
  readonly holds: Holds;
  /** Where the last iteration that looked left the checkout. */
  left(): ProjectedSession["left"];
  askedAt(questionId: string): string | undefined;
  benchedAt(workflowId: string): string | undefined;
  apply(line: Pick<JournalLine, "at" | "records">): void;
}

export function createNotes(): SessionNotes {
  const holds = createHolds();
  const asked = new Map<string, string>();
  const benched = new Map<string, string>();
  let left: ProjectedSession["left"] = null;

  const apply = ({ type, data }: JournalRecord, at: string): void => {
    switch (type) {
      case "task_finished":
        holds.apply(data, at);
        if (data.changes !== null) {
          const { branch_after: branch, head_after: head } = data.changes;
          left = { branch, head, iteration: data.iteration };
        }
        break;
      case "question_asked":
        asked.set(data.id, at);
        break;
      case "question_answered":
        asked.delete(data.id);
        break;
      case "workflow_benched":
        benched.set(data.workflow_id, at);
        break;
      default:
    }
  };

  return {
    holds,
    left: () => left,
    askedAt: (id) => asked.get(id),
    benchedAt: (id) => benched.get(id),
    apply({ at, records }) {
      for (const record of records) apply(record, at);
    },
  };
}
