/** Something wrong with a schedule, found before any session starts. */
export interface ScheduleProblem {
  readonly severity: "error" | "warning";
  /** Null: the set as a whole. */
  readonly workflow_id: string | null;
  /** Field of its `workflow.yaml`. */
  readonly field: string | null;
  readonly message: string;
  readonly hint?: string;
}
