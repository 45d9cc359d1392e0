import type { AttentionItem, StateFile } from "@loopwright/protocol";

const ORDER: Record<AttentionItem["severity"], number> = { high: 0, action: 1, watch: 2 };

/** Something that the state doesn't say: what recovery couldn't end, a coordinator that died. */
export interface Trouble {
  readonly kind: string;
  readonly severity: AttentionItem["severity"];
  readonly text: string;
  readonly since: string;
  readonly next_command: string | null;
}

/** What waits on whom in one session, most severe first. */
export function attentionOf(state: StateFile, troubles: readonly Trouble[] = []): AttentionItem[] {
  const items = [...pauses(state), ...questions(state), ...benches(state), ...ends(state)];
  const more = troubles.map((trouble) => ({
    ...base(state),
    waiting_on: "you" as const,
    ...trouble,
  }));
  return [...items, ...more].sort((a, b) => ORDER[a.severity] - ORDER[b.severity]);
}

function base(state: StateFile): { goal_id: string; since: string } {
  return { goal_id: state.goal_id, since: state.updated_at };
}

function pauses(state: StateFile): AttentionItem[] {
  const { paused } = state;
  if (paused === null || state.status !== "running") return [];
  const byUser = paused.reason === "user";
  return [
    {
      ...base(state),
      waiting_on: "you",
      severity: byUser ? "watch" : "high",
      kind: `paused_${paused.reason}`,
      since: paused.at,
      text:
        paused.detail === ""
          ? `Paused (${paused.reason}).`
          : `Paused (${paused.reason}): ${paused.detail}`,
      next_command: paused.reason === "disk" ? null : "loopwright resume",
    },
  ];
}

function questions(state: StateFile): AttentionItem[] {
  return state.questions.map(({ id, text, blocking }) => ({
    ...base(state),
    waiting_on: "you",
    severity: blocking ? "high" : "action",
    kind: "question",
    text: `A question waits for your answer: ${text}`,
    question: id,
    next_command: `loopwright answer ${id} "…"`,
  }));
}

function benches(state: StateFile): AttentionItem[] {
  return Object.entries(state.workflows).flatMap(([id, { benched }]) =>
    benched
      ? [
          {
            ...base(state),
            waiting_on: "you",
            severity: "action",
            kind: "benched",
            text: `Workflow "${id}" failed too often and no longer runs.`,
            next_command: "loopwright show latest",
          },
        ]
      : [],
  );
}

function ends(state: StateFile): AttentionItem[] {
  if (state.status === "running") return [];
  const detail = state.stop_detail ?? state.stop_reason ?? "";
  if (state.status === "goal_met") {
    if (state.verified === true) return [];
    return [
      {
        ...base(state),
        waiting_on: "you",
        severity: "action",
        kind: "unverified",
        text: `The goal is said to be met, but no check proved it: ${detail}`,
        next_command: null,
      },
    ];
  }
  return [
    {
      ...base(state),
      waiting_on: "you",
      severity: state.status === "failed" ? "high" : "action",
      kind: state.stop_reason ?? "stopped",
      text: detail,
      next_command: continueCommand(state),
    },
  ];
}

/** The one command that goes on from a stop. */
export function continueCommand(
  state: Pick<StateFile, "status" | "stop_reason" | "paused">,
): string | null {
  if (state.status === "goal_met") return null;
  if (state.status === "running")
    return state.paused === null ? "loopwright run" : "loopwright resume";
  switch (state.stop_reason) {
    case "max_iterations":
      return "loopwright resume --max-iterations +20";
    case "max_cost_usd":
      return "loopwright resume --max-cost-usd +10";
    case "baseline_green":
    case "baseline_error":
      return "loopwright run";
    default:
      return "loopwright resume";
  }
}
