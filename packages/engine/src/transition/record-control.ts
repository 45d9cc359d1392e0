import type { Control, SchedulingRules } from "@loopwright/protocol";
import { add, type Draft } from "./draft.ts";
import type { Finished } from "./occurrence.ts";

/** Judges the control that a result carries. One that asks for nothing (absent, or `running`) is nothing. */
export function recordControl(
  draft: Draft,
  finished: Finished,
  workflow: SchedulingRules | undefined,
): void {
  const { control, iteration, workflow_id } = finished;
  if (control.state === "absent") return;
  if (control.state === "invalid") {
    return add(draft, "control_refused", {
      iteration,
      workflow_id,
      verdict: "refused",
      why: control.reason,
      text: control.text ?? "",
    });
  }
  const asked = control.value;
  if (asked.state === "running") return;
  const text = JSON.stringify(asked);
  if (asked.attempt_id !== finished.attempt_id) {
    const why = `it names attempt ${asked.attempt_id}, not this one`;
    return add(draft, "control_refused", { iteration, workflow_id, verdict: "stale", why, text });
  }
  const why = objection(asked, workflow);
  if (why !== null || asked.stop_reason === null) {
    return add(draft, "control_refused", {
      iteration,
      workflow_id,
      verdict: "refused",
      why: why ?? NO_REASON,
      text,
    });
  }
  const { stop_reason, reason, attempted_routes } = asked;
  add(draft, "control_accepted", { iteration, workflow_id, stop_reason, reason, attempted_routes });
}

const NO_REASON = "it asks to stop without a stop_reason; use goal_met or unresolvable_error";

function objection(asked: Control, workflow: SchedulingRules | undefined): string | null {
  switch (asked.stop_reason) {
    case null:
      return NO_REASON;
    case "goal_met":
      return workflow?.may_complete === true
        ? null
        : "this workflow may not claim goal_met (may_complete is not set)";
    case "unresolvable_error":
      return asked.attempted_routes.length > 0
        ? null
        : "unresolvable_error needs attempted_routes: what was tried before giving up";
  }
}
