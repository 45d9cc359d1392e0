import type { RecordData } from "@loopwright/protocol";
import { isEvaluating } from "../schedule/roles.ts";
import { hasSignature, signature } from "../state/signature-set.ts";
import type { State } from "../state/state.ts";
import type { Finished } from "../transition/occurrence.ts";

/**
 * Progress is a (tree, passing checks) that this session never stood at before. Iterations that evaluate, and those
 * that a provider's limit or a full disk cut off, are neutral. An unknown tree shows no progress.
 */
export function judgeProgress(
  state: State,
  finished: Finished,
): RecordData<"task_finished">["progress"] {
  const workflow = state.rules.workflows.find((each) => each.id === finished.workflow_id);
  const notItsFault = finished.cause === "rate_limited" || finished.outcome === "disk";
  if (notItsFault || (workflow !== undefined && isEvaluating(workflow))) return "neutral";
  const tree = finished.changes?.tree_digest ?? null;
  if (tree === null) return "none";
  return hasSignature(state.seen, signature(tree, state.passing)) ? "none" : "progress";
}
