import type {
  AttentionItem,
  DriftWarning,
  Phase,
  ProjectedSession,
  StopReason,
} from "@loopwright/protocol";
import type { World } from "./look-around.ts";
import { plainLine } from "./plain-line.ts";
import { named, rankAttention } from "./rank-attention.ts";

export interface AttentionFacts extends Pick<World, "coordinator" | "strayAgent"> {
  readonly goalId: string;
  readonly session: ProjectedSession;
  readonly phase: Phase;
}

/** Before it has a name. */
export type Unnamed = Omit<AttentionItem, "id">;
type Item = Omit<Unnamed, "goal_id">;

/** What waits on whom in one session, most urgent first, each with the one command that settles it. Pure. */
export function attentionOf(facts: AttentionFacts): AttentionItem[] {
  const { session, goalId: goal_id } = facts;
  const items: Item[] = [
    ...ends(session),
    ...questions(session),
    ...pauses(session),
    ...benches(session),
    ...processes(facts),
    ...holds(facts),
    ...session.troubles.map((trouble) => ({
      waiting_on: "you" as const,
      blocks: false,
      ...trouble,
    })),
  ];
  return rankAttention(named(items.map((item) => ({ goal_id, ...item }))));
}

/** Drift that somebody has to settle or to look at; what is only to know is left out. */
export function driftAttention(
  goalId: string,
  warnings: readonly DriftWarning[],
  since: string,
): Unnamed[] {
  return warnings.flatMap(({ kind, severity, reason, recommended_action: advice }) =>
    severity === "info"
      ? []
      : [
          {
            goal_id: goalId,
            waiting_on: "you" as const,
            severity,
            kind,
            since,
            text: plainLine(reason, 300),
            blocks: false,
            next_command: commandIn(advice),
          },
        ],
  );
}

/** The first command that an advice names; what follows its full stop is another one. */
function commandIn(advice: string): string | null {
  return /loopwright [^,;]*?(?=\.(?:\s|$)|[,;]|$)/.exec(advice)?.[0] ?? null;
}

/** By how much a limit is raised where nobody says: in its own unit, and as one writes it. */
export const RAISES = {
  max_iterations: { limit: "max_iterations", add: 20, flag: "--max-iterations +20" },
  max_wall_clock: { limit: "max_wall_clock_ms", add: 4 * 3_600_000, flag: "--max-wall-clock +4h" },
  max_tokens: { limit: "max_tokens", add: 1_000_000, flag: "--max-tokens +1000000" },
  max_cost_usd: { limit: "max_cost_usd", add: 5, flag: "--max-cost-usd +5" },
} as const;

/** The command that goes on from a stop. */
export function afterStop(reason: StopReason): string {
  switch (reason) {
    case "max_iterations":
    case "max_wall_clock":
    case "max_tokens":
    case "max_cost_usd":
      return `loopwright resume ${RAISES[reason].flag}`;
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

function ends({
  status,
  stop_reason,
  stop_detail,
  verified,
  updated_at,
}: ProjectedSession): Item[] {
  const base = { waiting_on: "you", since: updated_at } as const;
  switch (status) {
    case "running":
      return [];
    case "goal_met":
      if (verified === true) return [];
      return [
        {
          ...base,
          severity: "watch",
          kind: "unverified",
          text: "there was no check, so nobody but the agent says that the goal is met",
          blocks: false,
          next_command: "loopwright show latest",
        },
      ];
    case "failed":
    case "stopped":
      return [
        {
          ...base,
          severity: status === "failed" ? "high" : "action",
          kind: stop_reason ?? status,
          text: plainLine(stop_detail ?? stop_reason ?? `it ${status}`, 200),
          blocks: true,
          next_command: stop_reason === null ? "loopwright explain" : afterStop(stop_reason),
        },
      ];
  }
}

function questions(session: ProjectedSession): Item[] {
  return session.questions.map(({ blocking, iteration, since, text, options, ...question }) => ({
    waiting_on: "you",
    severity: blocking ? "high" : "watch",
    kind: "question",
    since,
    text: `iteration ${iteration} asks`,
    blocks: blocking,
    question: {
      id: question.id,
      text: plainLine(text, 1000),
      options: options.map((option) => plainLine(option, 200)),
      ...(question.default === undefined ? {} : { default: plainLine(question.default, 200) }),
    },
    next_command: `loopwright answer ${question.id} "…"`,
  }));
}

function pauses({ paused, status }: ProjectedSession): Item[] {
  if (paused === null || status !== "running") return [];
  const { reason, detail, at } = paused;
  return [
    {
      waiting_on: "you",
      severity: reason === "user" ? "watch" : "high",
      kind: `paused_${reason}`,
      since: at,
      text: `paused (${reason})${detail === "" ? "" : `: ${plainLine(detail, 160)}`}`,
      blocks: reason !== "disk",
      // There it goes on by itself when there is room again.
      next_command: reason === "disk" ? null : "loopwright resume",
    },
  ];
}

function benches({ benched, status }: ProjectedSession): Item[] {
  if (status !== "running") return [];
  return benched.map(({ workflow_id: id, since }) => ({
    waiting_on: "you",
    severity: "action",
    kind: "benched",
    since,
    text: `workflow ${id} failed too often and no longer runs`,
    blocks: false,
    next_command: "loopwright explain",
  }));
}

function processes({ session, phase, coordinator, strayAgent }: AttentionFacts): Item[] {
  const base = { waiting_on: "you", severity: "action", since: session.updated_at } as const;
  const items: Item[] = [];
  if (phase === "interrupted") {
    const agent = strayAgent === null ? "" : `; its agent (process ${strayAgent}) still runs`;
    items.push({
      ...base,
      kind: "interrupted",
      text: `its coordinator is gone; nothing is lost${agent}`,
      blocks: true,
      next_command: "loopwright run",
    });
  }
  if (coordinator.liveness === "unknown" && session.status === "running") {
    const whom = coordinator.pid === undefined ? "anybody" : `process ${coordinator.pid}`;
    const where = coordinator.host === undefined ? "" : ` on ${coordinator.host}`;
    items.push({
      ...base,
      kind: "unknown_holder",
      text: `whether ${whom}${where} still runs it can't be told from here`,
      blocks: true,
      next_command: "loopwright doctor",
    });
  }
  if (phase === "recovering") {
    items.push({
      ...base,
      kind: "worker_dead",
      text: "its worker is dead; the next one takes its work up",
      blocks: true,
      next_command: "loopwright worker",
    });
  }
  return items;
}

function holds({
  session: { hold_until: until, last, updated_at },
  phase,
}: AttentionFacts): Item[] {
  if (phase !== "waiting_provider" || until === null) return [];
  return [
    {
      waiting_on: "provider",
      severity: "watch",
      kind: "quota",
      since: last?.at ?? updated_at,
      text: `the account's limit is reached until ${until}`,
      blocks: true,
      next_command: null,
    },
  ];
}
