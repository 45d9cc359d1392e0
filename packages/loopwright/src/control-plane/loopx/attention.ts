import type { AttentionItem } from "@loopwright/protocol";
import { named } from "../projection/index.ts";
import type { LoopxGoal } from "./read-loopx-goal.ts";

/** What waits on whom in a LoopX goal, most urgent first. Only LoopX itself changes it, so there is nothing to run here. */
export function loopxAttention(goal: LoopxGoal, now: string): AttentionItem[] {
  const items: Omit<AttentionItem, "id">[] = [];
  const add = (
    severity: AttentionItem["severity"],
    waitingOn: AttentionItem["waiting_on"],
    kind: string,
    text: string,
  ): void => {
    items.push({
      goal_id: goal.id,
      waiting_on: waitingOn,
      severity,
      kind,
      since: instantOf(goal.latest?.generated_at ?? goal.state?.updatedAt) ?? now,
      text,
      blocks: kind === "user_gate",
      next_command: null,
    });
  };
  const open = goal.state?.todos.filter(({ state, role }) => state === "open" && role === "user");
  const gates = open?.filter(({ taskClass }) => taskClass === "user_gate") ?? [];
  for (const { text } of gates) add("high", "you", "user_gate", `decide: ${text}`);
  if (goal.state === null) {
    add("high", "you", "state_file_missing", "its ACTIVE_GOAL_STATE.md isn't there");
  }
  if (goal.drift !== null) {
    const severity = goal.drift.severity === "info" ? "watch" : goal.drift.severity;
    add(severity, "agent", goal.drift.kind, goal.drift.reason);
  }
  const others = (open?.length ?? 0) - gates.length;
  if (others > 0)
    add(
      "action",
      "you",
      "user_todo",
      others === 1 ? "1 open todo is yours" : `${others} open todos are yours`,
    );
  if (goal.badLines.length > 0) {
    const numbers = goal.badLines.slice(0, 5).map(({ lineNumber }) => lineNumber);
    add(
      "watch",
      "nobody",
      "run_index_damaged",
      `bad lines in its run index: ${numbers.join(", ")}`,
    );
  }
  if (goal.stopped) add("watch", "nobody", "goal_disabled", "it is stopped");
  const rank = { high: 0, action: 1, watch: 2 };
  return named(items.sort((a, b) => rank[a.severity] - rank[b.severity]));
}

/** LoopX writes local time with an offset; here it is always UTC with milliseconds. */
export function instantOf(text: string | null | undefined): string | undefined {
  const time = text === null || text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
