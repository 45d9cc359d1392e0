import type {
  Configuration,
  FrozenWorkflow,
  Pins,
  RecordData,
  SessionFile,
} from "@loopwright/protocol";

/** Everything that a new session freezes, read from the project after its preflight. */
export interface SessionPlan {
  readonly goalId: string;
  readonly goalText: string;
  readonly title: string;
  /** Real path of the work tree. */
  readonly repository: string;
  readonly baseCommit: string | null;
  readonly baseTree: string | null;
  readonly workflowSet: string;
  readonly preamble: string;
  readonly configuration: Configuration;
  readonly workflows: FrozenWorkflow[];
  readonly pins: Pins;
  /** Checks that failed in an earlier baseline of this goal with the same hash. */
  readonly redBefore: RecordData<"session_started">["red_before"];
  readonly programVersion: string;
}

export interface PlannedIdentity {
  readonly sessionId: string;
  readonly goalSha256: string;
  readonly createdAt: string;
}

export function sessionFileOf(plan: SessionPlan, identity: PlannedIdentity): SessionFile {
  return {
    schema_version: 1,
    session_id: identity.sessionId,
    goal_id: plan.goalId,
    goal_sha256: identity.goalSha256,
    title: plan.title,
    repository: plan.repository,
    base_commit: plan.baseCommit,
    base_tree: plan.baseTree,
    workflow_set: plan.workflowSet,
    preamble: plan.preamble,
    configuration: plan.configuration,
    workflows: plan.workflows,
    pins: plan.pins,
    parent_session_id: null,
    created_at: identity.createdAt,
    program_version: plan.programVersion,
  };
}
