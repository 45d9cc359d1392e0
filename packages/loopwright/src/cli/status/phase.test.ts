import type { State } from "@loopwright/engine";
import type { Liveness, Phase, ProcessIdentity } from "@loopwright/protocol";
import { expect, test } from "vitest";
import { attentionOf } from "./attention.ts";
import { type Holder, phaseOf } from "./phase.ts";

const at = "2026-01-01T00:00:00.000Z";
const seat = {} as ProcessIdentity;
const workflow = { kind: "workflow" } as State["task"];
const verification = { kind: "verification" } as State["task"];
const paused = { reason: "user", detail: "", at } as const;

function session(fields: Partial<State>): State {
  const base = { status: "running", stop_reason: null, paused: null, task: null, seat: null };
  return { ...base, questions: [], iterations: 1, updated_at: at, ...fields } as unknown as State;
}

const rows: [string, Partial<State>, Holder["liveness"], Liveness, Phase][] = [
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
  ["its account is held", { seat }, "alive", "alive", "waiting_provider"],
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
  ["it has ended", { status: "stopped", stop_reason: "user_stop" }, "none", "alive", "ended"],
  ["nobody can say whether it is run", { task: workflow, seat }, "unknown", "unknown", "executing"],
];

test.each(rows)("when %s", (_, fields, holder, worker, expected) => {
  expect(phaseOf(session(fields), { liveness: holder }, { liveness: () => worker })).toBe(expected);
});

test("everything that waits on a person has the command that settles it, the most urgent first", () => {
  const stopped = session({
    status: "stopped",
    stop_reason: "max_iterations",
    stop_detail: "it is used up",
  });
  expect(attentionOf("g", stopped, "ended", { liveness: "none" })).toMatchObject([
    {
      severity: "action",
      kind: "max_iterations",
      next_command: "loopwright resume --max-iterations +20",
    },
  ]);
  const question = { id: "q1", text: "Which?", options: [], blocking: true, iteration: 1 };
  const asking = session({ questions: [question], paused });
  expect(attentionOf("g", asking, "paused", { liveness: "alive" })).toMatchObject([
    { severity: "high", kind: "question", question: "Which?" },
    { severity: "watch", kind: "paused_user", next_command: "loopwright resume" },
  ]);
  expect(attentionOf("g", session({}), "interrupted", { liveness: "dead" })).toMatchObject([
    { next_command: "loopwright run" },
  ]);
  expect(
    attentionOf("g", session({ status: "goal_met", verified: false }), "ended", {
      liveness: "none",
    }),
  ).toMatchObject([{ kind: "unverified" }]);
  expect(
    attentionOf("g", session({ status: "goal_met", verified: true }), "ended", {
      liveness: "none",
    }),
  ).toEqual([]);
});
