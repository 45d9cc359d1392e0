import type { JournalLine } from "@loopwright/protocol";
import { oneLine } from "../../read-api/words/printable.ts";

export interface IterationRow {
  readonly iteration: number;
  readonly workflow_id: string;
  /** `succeeded`, the outcome, `abandoned` or `running`. */
  readonly outcome: string;
  /** One line. */
  readonly summary: string;
}

/** A session's iterations, in order, one row each. */
export function iterationRows(lines: readonly JournalLine[]): IterationRow[] {
  const rows = new Map<number, IterationRow>();
  for (const { type, data } of lines.flatMap(({ records }) => records)) {
    if (type === "task_assigned") {
      rows.set(data.iteration, {
        iteration: data.iteration,
        workflow_id: data.workflow_id,
        outcome: "running",
        summary: "",
      });
    } else if (type === "task_finished") {
      const { iteration, workflow_id, report, failure } = data;
      const summary = report.state === "valid" ? report.value.summary : (failure ?? "");
      rows.set(iteration, {
        iteration,
        workflow_id,
        outcome: data.succeeded ? "succeeded" : data.outcome,
        summary: oneLine(summary, 80),
      });
    } else if (type === "task_abandoned" && data.workflow_id !== null) {
      const { iteration, workflow_id, reason } = data;
      rows.set(iteration, {
        iteration,
        workflow_id,
        outcome: "abandoned",
        summary: oneLine(reason, 80),
      });
    } else if (type === "task_withdrawn" && data.kind === "workflow") {
      rows.delete(data.iteration);
    }
  }
  return [...rows.values()];
}
