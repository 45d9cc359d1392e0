import type { State } from "@loopwright/engine";
import type { AttentionItem, Phase, StopReason } from "@loopwright/protocol";
import { oneLine } from "../../read-api/words/printable.ts";
import type { Holder } from "./phase.ts";

/** What waits on whom in one goal, most urgent first, each with the one command that settles it. */
export function attentionOf(
  goalId: string,
  state: State,
  phase: Phase,
  holder: Holder,
): AttentionItem[] {
  const items: AttentionItem[] = [];
  const add = (
    severity: AttentionItem["severity"],
    kind: string,
    since: string,
    text: string,
    next: string | null,
  ): void => {
    items.push({
      goal_id: goalId,
      waiting_on: "you",
      severity,
      kind,
      since,
      text,
      next_command: next,
    });
  };
  if (state.status === "failed") {
    add(
      "high",
      state.stop_reason ?? "failed",
      state.updated_at,
      oneLine(state.stop_detail ?? "it failed", 200),
      "loopwright explain",
    );
  }
  for (const question of state.questions) {
    const severity = question.blocking ? "high" : "watch";
    items.push({
      goal_id: goalId,
      waiting_on: "you",
      severity,
      kind: "question",
      since: state.updated_at,
      text: `iteration ${question.iteration} asks`,
      question: oneLine(question.text, 200),
      next_command: `loopwright update ${JSON.stringify(`${question.id}: …`)}`,
    });
  }
  if (state.paused !== null && state.status === "running") {
    const { reason, detail, at } = state.paused;
    add(
      reason === "user" ? "watch" : "high",
      `paused_${reason}`,
      at,
      `paused (${reason})${detail === "" ? "" : `: ${oneLine(detail, 160)}`}`,
      "loopwright resume",
    );
  }
  if (phase === "interrupted") {
    add(
      "action",
      "interrupted",
      state.updated_at,
      "its coordinator is gone; nothing is lost",
      "loopwright run",
    );
  }
  if (holder.liveness === "unknown" && state.status === "running") {
    add(
      "action",
      "unknown_holder",
      state.updated_at,
      `whether process ${holder.pid} on ${holder.host} still runs it can't be told from here`,
      "loopwright doctor",
    );
  }
  if (phase === "recovering") {
    add(
      "action",
      "worker_dead",
      state.updated_at,
      "its worker is dead; the next one takes its work up",
      "loopwright worker",
    );
  }
  if (state.status === "stopped" && state.stop_reason !== null) {
    add(
      "action",
      state.stop_reason,
      state.updated_at,
      oneLine(state.stop_detail ?? state.stop_reason, 200),
      afterStop(state.stop_reason),
    );
  }
  if (state.status === "goal_met" && state.verified !== true) {
    add(
      "watch",
      "unverified",
      state.updated_at,
      "there was no check, so nobody but the agent says that the goal is met",
      "loopwright show latest",
    );
  }
  return items.sort(
    (a, b) => RANK[a.severity] - RANK[b.severity] || a.since.localeCompare(b.since),
  );
}

const RANK = { high: 0, action: 1, watch: 2 } as const;

/** The command that goes on from a stop. */
export function afterStop(reason: StopReason): string {
  switch (reason) {
    case "max_iterations":
      return "loopwright resume --max-iterations +20";
    case "max_wall_clock":
      return "loopwright resume --max-wall-clock +4h";
    case "max_tokens":
      return "loopwright resume --max-tokens +1000000";
    case "max_cost_usd":
      return "loopwright resume --max-cost-usd +5";
    case "baseline_green":
    case "baseline_error":
      return "loopwright run";
    case "goal_met":
      return "loopwright run --new";
    case "user_stop":
      return "loopwright resume";
    default:
      return "loopwright explain";
  }
}
