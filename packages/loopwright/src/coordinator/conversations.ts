import { addUsage, type RecordData, type Usage, type WorkflowTask } from "@loopwright/protocol";

/** What a workflow with `session: resume` goes on with, folded from the journal. */
export interface Conversations {
  /** The agent session that the workflow's last run on this agent left; undefined: it begins anew. */
  of(workflowId: string, agent: string): WorkflowTask["resume"];
  apply(finished: RecordData<"task_finished">): void;
}

interface Conversation {
  readonly agent: string;
  readonly id: string;
  readonly usage: Usage | null;
  readonly costUsd: number | null;
}

/** After these the same session may well be gone on with. */
const PASSING: ReadonlySet<string | undefined> = new Set(["rate_limited", "transient", "auth"]);

export function createConversations(): Conversations {
  const latest = new Map<string, Conversation>();
  return {
    of(workflowId, agent) {
      const found = latest.get(workflowId);
      if (found?.agent !== agent) return undefined;
      const { id, usage, costUsd } = found;
      return { id, usage, costUsd };
    },
    apply(finished) {
      const { workflow_id, agent, agent_session_id: id, outcome, cause } = finished;
      const known = latest.get(workflow_id);
      // An id that is of no use any more costs one failure: the next run begins anew.
      if (outcome === "failed" && !PASSING.has(cause)) return void latest.delete(workflow_id);
      if (id === null) return;
      const before = known?.agent === agent && known.id === id ? known : undefined;
      latest.set(workflow_id, { agent, id, ...sumOf(before, finished) });
    },
  };
}

/** A sum with something unknown in it is unknown. */
function sumOf(
  before: Conversation | undefined,
  { usage, cost_usd: cost }: RecordData<"task_finished">,
): Pick<Conversation, "usage" | "costUsd"> {
  if (before === undefined) return { usage, costUsd: cost };
  return {
    usage: before.usage === null || usage === null ? null : addUsage(before.usage, usage),
    costUsd: before.costUsd === null || cost === null ? null : before.costUsd + cost,
  };
}
