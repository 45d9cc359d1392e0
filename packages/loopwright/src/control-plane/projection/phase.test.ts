import type { Liveness, Phase, ProcessIdentity, ProjectedSession } from "@loopwright/protocol";
import { expect, test } from "vitest";
import { attentionOf, driftAttention } from "./attention.ts";
import type { Holder } from "./holder.ts";
import { phaseOf } from "./phase.ts";
import { attentionOverGoals } from "./rank-attention.ts";

const at = "2026-01-01T00:00:00.000Z";
const now = Date.parse("2026-01-01T12:00:00.000Z");
const seat = {} as ProcessIdentity;
const workflow = { kind: "workflow" } as ProjectedSession["task"];
const verification = { kind: "verification" } as ProjectedSession["task"];
const paused = { reason: "user", detail: "", at } as const;
const question = { id: "q1", text: "Which?", options: [], blocking: true, iteration: 1, since: at };

function session(fields: Partial<ProjectedSession>): ProjectedSession {
  const base = { status: "running", stop_reason: null, paused: null, task: null, seat: null };
  const lists = { questions: [], benched: [], troubles: [], claim: null, hold_until: null };
  return { ...base, ...lists, iterations: 1, last: null, updated_at: at, ...fields } as never;
}

const rows: [string, Partial<ProjectedSession>, Holder["liveness"], Liveness, Phase][] = [
  ["nobody runs it", {}, "none", "alive", "interrupted"],
  [
    "its coordinator is dead in mid-agent",
    { task: workflow, seat },
    "dead",
    "alive",
    "interrupted",
  ],
  ["an agent runs", { task: workflow, seat }, "alive", "alive", "executing"],
  ["checks run", { task: verification, seat }, "alive", "alive", "verifying"],
  ["its worker is dead in mid-agent", { task: workflow, seat }, "alive", "dead", "recovering"],
  ["no worker came yet", {}, "alive", "alive", "starting"],
  ["it decides what is next", { seat }, "alive", "alive", "starting"],
  [
    "its account is held",
    { seat, hold_until: "2026-01-01T12:00:01.000Z" },
    "alive",
    "alive",
    "waiting_provider",
  ],
  [
    "its account was held until now",
    { seat, hold_until: "2026-01-01T12:00:00.000Z" },
    "alive",
    "alive",
    "starting",
  ],
  ["a person paused it", { paused, seat }, "alive", "alive", "paused"],
  ["a person paused it and nobody runs it", { paused }, "none", "alive", "paused"],
  [
    "its last iteration ends before the pause",
    { paused, task: workflow, seat },
    "alive",
    "alive",
    "executing",
  ],
  [
    "an agent's login ran out",
    { paused: { ...paused, reason: "auth" }, seat },
    "alive",
    "alive",
    "waiting_you",
  ],
  ["a question waits", { questions: [question], seat }, "alive", "alive", "waiting_you"],
  ["it has ended", { status: "stopped", stop_reason: "user_stop" }, "none", "alive", "ended"],
  ["nobody can say whether it is run", { task: workflow, seat }, "unknown", "unknown", "executing"],
];

test.each(rows)("when %s", (_, fields, coordinator, worker, expected) => {
  const shown = session(fields);
  const facts = { coordinator, worker: shown.seat === null ? ("none" as const) : worker, now };
  expect(phaseOf(shown, facts)).toBe(expected);
});

function attention(
  shown: ProjectedSession,
  phase: Phase,
  liveness: Holder["liveness"] = "none",
): ReturnType<typeof attentionOf> {
  const coordinator = { liveness };
  return attentionOf({ goalId: "g", session: shown, phase, coordinator, strayAgent: null });
}

test("everything that waits on a person has the command that settles it, the most urgent first", () => {
  const reason = { stop_reason: "max_iterations", stop_detail: "it is used up" } as const;
  expect(attention(session({ status: "stopped", ...reason }), "ended")).toMatchObject([
    {
      severity: "action",
      kind: "max_iterations",
      next_command: "loopwright resume --max-iterations +20",
    },
  ]);
  expect(attention(session({ questions: [question], paused }), "paused", "alive")).toMatchObject([
    { severity: "high", kind: "question", question: { id: "q1", text: "Which?" } },
    { severity: "watch", kind: "paused_user", next_command: "loopwright resume" },
  ]);
  expect(attention(session({}), "interrupted", "dead")).toMatchObject([
    { next_command: "loopwright run" },
  ]);
  expect(attention(session({ status: "goal_met", verified: false }), "ended")).toMatchObject([
    { kind: "unverified" },
  ]);
  expect(attention(session({ status: "goal_met", verified: true }), "ended")).toEqual([]);
});

test("over all goals the most severe stands first, then the oldest, and its command names the goal", () => {
  const item = {
    id: "",
    waiting_on: "you",
    kind: "k",
    text: "",
    blocks: true,
    next_command: "loopwright resume",
  } as const;
  const later = "2026-02-01T00:00:00.000Z";
  const ordered = attentionOverGoals([
    [
      { ...item, goal_id: "a", severity: "watch", since: at },
      { ...item, goal_id: "a", severity: "high", since: later },
    ],
    [{ ...item, goal_id: "b", severity: "high", since: at, next_command: "kill 7" }],
  ]);
  expect(ordered.map(({ goal_id, next_command }) => [goal_id, next_command])).toEqual([
    ["b", "kill 7"],
    ["a", "loopwright resume --goal a"],
    ["a", "loopwright resume --goal a"],
  ]);
});

test("drift that is only to know asks for nobody's attention", () => {
  const warning = {
    schema_version: 1,
    kind: "branch_switched",
    reason: "It is on another branch.",
    recommended_action: "Go back (git switch work), or go on from here: loopwright run --goal g",
  } as const;
  const evidence = [{ source: "git", says: "it is on another branch" }];
  expect(driftAttention("g", [{ ...warning, evidence, severity: "info" }], at)).toEqual([]);
  expect(driftAttention("g", [{ ...warning, evidence, severity: "action" }], at)).toMatchObject([
    { kind: "branch_switched", next_command: "loopwright run --goal g" },
  ]);
});
