import type { ReceiptSummary, RecordData, Rules } from "@loopwright/protocol";
import { CAUSES, OUTCOMES } from "@loopwright/protocol";
import type { Finished, Next, Occurrence, Plan } from "../transition/occurrence.ts";
import {
  attemptOf,
  changesAt,
  digestOf,
  finishedOf,
  receiptOf,
  started,
  treeOf,
} from "./fixtures.ts";
import { Play, timeOf } from "./play.ts";

/** A source of whole numbers from 0 to `below` - 1. */
export type Dice = (below: number) => number;

/** Plays a session in which everything may happen at any moment. Deterministic for the same dice. */
export function playRandomSession(rules: Rules, dice: Dice, occurrences: number): Play {
  const play = new Play({ kind: "started", started: started(rules) });
  for (let turn = 0; turn < occurrences; turn++) play.feed(nextOccurrence(play, dice));
  return play;
}

function nextOccurrence(play: Play, dice: Dice): Occurrence {
  const roll = dice(100);
  const { task, session_id, epoch } = play.current;
  if (roll < 12) return interruption(play, dice);
  if (roll < 14)
    return {
      kind: "coordinator_started",
      started: { epoch: epoch + 1, identity: IDENTITY, program_version: "0.1.0" },
    };
  if (roll < 16)
    return {
      kind: "seated",
      seated: { identity: IDENTITY, checkout: `/${session_id}`, take_over: false },
      next: maybeNext(play, dice),
    };
  if (task === null) return { kind: "next", next: nextFor(play, dice) };
  const { attempt_id, iteration } = task;
  if (roll < 19)
    return {
      kind: "withdrawn",
      withdrawn: { kind: task.kind, attempt_id, iteration, directory: null },
      next: maybeNext(play, dice),
    };
  if (roll < 24) {
    const workflow_id = task.kind === "workflow" ? task.workflow_id : null;
    const abandoned = {
      kind: task.kind,
      workflow_id,
      iteration,
      attempt_id,
      cause: "crash" as const,
      reason: "its worker died",
      started: dice(3) > 0,
      live_ms: dice(5000),
    };
    return { kind: "abandoned", abandoned, next: maybeNext(play, dice) };
  }
  if (task.kind === "workflow")
    return {
      kind: "finished",
      finished: randomResult(play, dice, task),
      plan: randomPlan(dice, task),
      next: maybeNext(play, dice),
    };
  const receipt = dice(10) === 0 ? null : randomReceipt(play, dice);
  const verified: RecordData<"verification_finished"> = {
    kind: task.verification,
    attempt_id,
    iteration,
    number: task.number,
    receipt,
    live_ms: dice(3000),
    cost_usd: null,
    recovered: dice(5) === 0,
    ...(receipt === null ? { problem: "no receipt" } : {}),
  };
  return { kind: "verified", verified, next: maybeNext(play, dice) };
}

function interruption(play: Play, dice: Dice): Occurrence {
  const by = "user";
  switch (dice(8)) {
    case 0:
      return { kind: "stop", stop: { mode: pick(dice, ["graceful", "now", "kill"] as const), by } };
    case 1:
      return {
        kind: "pause",
        pause: { reason: pick(dice, ["user", "disk"] as const), detail: "", by },
      };
    case 2:
    case 3: {
      const raise =
        dice(2) === 0
          ? []
          : [{ limit: "max_iterations" as const, to: play.current.limits.max_iterations + 5 }];
      return { kind: "resume", by, raise, reopen: dice(3) > 0 };
    }
    case 4:
      return {
        kind: "inputs",
        inputs: [{ id: `input-${dice(20)}`, text: "Prefer the existing mailer", at: timeOf(0) }],
      };
    case 5:
      return {
        kind: "manual",
        manual: {
          attempt_id: attemptOf(900_000 + dice(1000)),
          receipt: randomReceipt(play, dice),
          live_ms: dice(1000),
          cost_usd: null,
        },
      };
    case 6:
      return { kind: "answered", answered: { id: `question-${dice(3)}`, text: "yes", by } };
    default:
      return { kind: "repaired", repaired: { offset: dice(1000), bytes: dice(100) } };
  }
}

function randomPlan(dice: Dice, task: { iteration: number; workflow_id: string }): Plan {
  const { iteration, workflow_id: by } = task;
  const kind = "next_action_projection_mismatch";
  const moved = {
    from_sha256: digestOf(dice(5)),
    to_sha256: digestOf(iteration),
    text: "Go on",
    iteration,
    by,
    updated_at: timeOf(0),
  };
  return {
    ...(dice(3) > 0 ? { moved } : {}),
    ...(dice(3) > 0 ? { resolved: { kind, take: "run", by } } : {}),
    ...(dice(3) > 0 ? { drift: { kind, severity: "action", detail: "They differ." } } : {}),
  };
}

function randomResult(
  play: Play,
  dice: Dice,
  task: { workflow_id: string; iteration: number; attempt_id: string },
): Finished {
  const isOk = dice(10) < 6;
  const outcome = isOk ? "ok" : pick(dice, OUTCOMES);
  const cause = isOk || dice(2) === 0 ? undefined : pick(dice, CAUSES);
  const tokens = dice(4) === 0 ? null : dice(5000);
  return finishedOf(task, {
    outcome,
    ...(cause === undefined ? {} : { cause }),
    orderly: outcome === "ok" || dice(2) === 0,
    usage:
      dice(5) === 0
        ? null
        : {
            input_tokens: tokens,
            cached_input_tokens: null,
            output_tokens: tokens,
            reasoning_tokens: null,
            model: null,
            basis: "invocation",
          },
    cost_usd: dice(4) === 0 ? null : dice(100) / 50,
    changes: dice(12) === 0 ? null : changesAt(treeOf(dice(30))),
    report: randomReport(play, dice, task.attempt_id),
    goal_check: randomGoalCheck(dice),
    control: randomControl(dice, task.attempt_id),
    live_ms: dice(5000),
  });
}

function randomReport(play: Play, dice: Dice, attempt_id: string): Finished["report"] {
  if (dice(4) === 0) return { state: "absent" };
  if (dice(8) === 0) return { state: "invalid", reason: "not JSON", text: "{" };
  const inputs = play.current.inputs
    .filter(() => dice(2) === 0)
    .map(({ id }) => ({ id, disposition: "applied" as const }));
  const questions =
    dice(10) === 0
      ? [{ id: `question-${dice(3)}`, text: "Which one?", blocking: dice(3) === 0 }]
      : [];
  return {
    state: "valid",
    value: {
      schema_version: 1,
      attempt_id,
      summary: "Did a thing",
      ...(dice(2) === 0 ? { recommended_action: "Go on" } : {}),
      evidence: [],
      blockers: [],
      learned: [],
      inputs,
      questions,
      todos_done: [],
      todos_add: [],
    },
  };
}

function randomGoalCheck(dice: Dice): Finished["goal_check"] {
  if (dice(3) === 0) return { state: "absent" };
  if (dice(4) === 0) return { state: "invalid", reason: "goal_met is missing" };
  return {
    state: "valid",
    value: { schema_version: 1, goal_met: dice(2) === 0, reason: "because", evidence: [] },
  };
}

function randomControl(dice: Dice, own: string): Finished["control"] {
  if (dice(4) > 0) return { state: "absent" };
  if (dice(6) === 0) return { state: "invalid", reason: "not JSON", text: "{" };
  const attempt_id = dice(6) === 0 ? attemptOf(999_999) : own;
  const stop_reason = pick(dice, [
    "goal_met",
    "goal_met",
    "goal_met",
    "unresolvable_error",
    null,
  ] as const);
  const attempted_routes = dice(2) === 0 ? [] : ["another way"];
  return {
    state: "valid",
    value: {
      schema_version: 1,
      attempt_id,
      state: dice(8) === 0 ? "running" : "stopped",
      stop_reason,
      reason: "done",
      attempted_routes,
    },
  };
}

function randomReceipt(play: Play, dice: Dice): ReceiptSummary {
  const { rules } = play.current;
  const outcomes = Object.fromEntries(
    rules.gate.checks.map(({ id }) => [
      id,
      pick(dice, dice(8) === 0 ? (["error"] as const) : (["pass", "fail"] as const)),
    ]),
  );
  return receiptOf(rules, treeOf(dice(30)), outcomes);
}

function maybeNext(play: Play, dice: Dice): Next | undefined {
  return dice(4) === 0 ? undefined : nextFor(play, dice);
}

function nextFor(play: Play, dice: Dice): Next {
  const ids = play.current.rules.workflows.map((workflow) => workflow.id);
  const requests = Object.fromEntries(
    ids.filter(() => dice(3) === 0).map((id) => [id, digestOf(dice(50))]),
  );
  const holds = Object.fromEntries(
    ids.filter(() => dice(12) === 0).map((id) => [id, timeOf(play.lines.length + dice(5))]),
  );
  const spent_elsewhere =
    dice(5) === 0 ? { spent_elsewhere: { tokens: dice(100), cost_usd: dice(10) / 10 } } : {};
  return play.next({ requests, holds, ...spent_elsewhere });
}

function pick<T>(dice: Dice, choices: readonly T[]): T {
  const chosen = choices[dice(choices.length)];
  if (chosen === undefined && choices.length === 0) throw new Error("nothing to choose from");
  return chosen as T;
}

const IDENTITY = {
  host: "host",
  pid_namespace: "4026531836",
  boot_id: "boot",
  pid: 1,
  start_time: "1",
};
