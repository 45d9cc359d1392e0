import type { JournalRecord, Rules } from "@loopwright/protocol";
import { describe, expect, it } from "vitest";
import { isLive } from "../state/state.ts";
import {
  digestOf,
  factsOf,
  finishedOf,
  innerOuterEval,
  rulesOf,
  started,
  workflow,
} from "../testing/fixtures.ts";
import { Play } from "../testing/play.ts";
import type { Finished } from "./occurrence.ts";
import { waiting } from "./waiting.ts";

const single = [workflow("only", { plans: true, may_complete: true })];

function play(rules: Rules = rulesOf(single)): Play {
  return new Play({ kind: "started", started: started(rules) });
}

const types = (records: readonly JournalRecord[]): string[] => records.map((record) => record.type);

function running(rules?: Rules): Play {
  const session = play(rules);
  session.feed({ kind: "next", next: session.next() });
  return session;
}

function finish(session: Play, changes: Partial<Finished> = {}, goesOn = true): JournalRecord[] {
  const { task } = session;
  if (task.kind !== "workflow") throw new Error("a verification is live");
  return session.feed({
    kind: "finished",
    finished: finishedOf(task, changes),
    next: goesOn ? session.next() : undefined,
  });
}

function reportWith(session: Play, changes: object): Finished["report"] {
  const value = {
    schema_version: 1 as const,
    attempt_id: session.task.attempt_id,
    summary: "Did it",
    evidence: [],
    blockers: [],
    learned: [],
    inputs: [],
    questions: [],
    todos_done: [],
    todos_add: [],
    ...changes,
  };
  return { state: "valid", value };
}

describe("an iteration", () => {
  it("is assigned with its number, directory, facts and explanation", () => {
    const session = play();
    const next = session.next();
    const [record] = session.feed({ kind: "next", next });
    expect(record).toMatchObject({
      type: "task_assigned",
      data: {
        workflow_id: "only",
        iteration: 1,
        directory: "iterations/0001_only",
        attempt_id: next.attempt_id,
        facts: next.facts,
        explanation: { chosen: "only" },
      },
    });
    expect(session.task).toMatchObject({ kind: "workflow", iteration: 1 });
  });

  it("is recorded and followed by the next one in the same line", () => {
    const session = running();
    expect(types(finish(session))).toEqual(["task_finished", "task_assigned"]);
    expect(session.current).toMatchObject({
      iterations: 1,
      last: { iteration: 1, succeeded: true },
      task: { iteration: 2 },
    });
  });

  it("is only recorded where no worker waits", () => {
    const session = running();
    expect(types(finish(session, {}, false))).toEqual(["task_finished"]);
    expect(session.current.task).toBeNull();
  });

  it("changes nothing when its report names another attempt", () => {
    const session = running();
    expect(
      session.feed({
        kind: "finished",
        finished: finishedOf({ workflow_id: "only", iteration: 1, attempt_id: "0".repeat(26) }),
        next: session.next(),
      }),
    ).toEqual([]);
    const { attempt_id } = session.task;
    const { session_id } = session.current;
    expect(isLive(session.current, { session_id, attempt_id, iteration: 1, epoch: 0 })).toBe(true);
    expect(isLive(session.current, { session_id, attempt_id, iteration: 2 })).toBe(false);
    expect(isLive(session.current, { session_id, attempt_id, epoch: 7 })).toBe(false);
  });

  it("is assigned again under its number after a withdrawal, as if it had never been", () => {
    const session = running(rulesOf(innerOuterEval()));
    finish(session);
    const { workflows, iterations } = session.current;
    const { task } = session;
    const before = { ...workflows };
    const records = session.feed({
      kind: "withdrawn",
      withdrawn: {
        kind: "workflow",
        attempt_id: task.attempt_id,
        iteration: task.iteration,
        directory: "iterations/0002_outer.withdrawn-1",
      },
      next: session.next(),
    });
    expect(types(records)).toEqual(["task_withdrawn", "task_assigned"]);
    expect(session.task).toMatchObject({ workflow_id: "outer", iteration: iterations + 1 });
    expect(session.current.workflows).toEqual(before);
  });

  it("consumes its number when it is abandoned, and the next prompt says so", () => {
    const session = running();
    const { attempt_id } = session.task;
    session.feed({
      kind: "abandoned",
      abandoned: {
        kind: "workflow",
        workflow_id: "only",
        iteration: 1,
        attempt_id,
        cause: "crash",
        reason: "the machine went down",
        started: true,
        live_ms: 5,
      },
      next: session.next(),
    });
    expect(session.current).toMatchObject({
      iterations: 1,
      spent: { unknown_cost: 1, live_ms: 5 },
      task: { iteration: 2 },
      diagnosis: [{ kind: "abandoned" }],
    });
    finish(session);
    expect(session.current.diagnosis).toEqual([]);
  });

  it("doesn't succeed without the goal check that it promised", () => {
    const rules = rulesOf([workflow("judge", { emits_goal_check: true, may_complete: true })]);
    const session = running(rules);
    const [finished, recorded] = finish(session);
    expect(finished).toMatchObject({
      data: {
        succeeded: false,
        counted: true,
        failure: "its goal_check.json is missing",
        progress: "neutral",
      },
    });
    expect(recorded).toMatchObject({ type: "goal_check_recorded", data: { valid: false } });
    expect(session.current.diagnosis).toMatchObject([{ kind: "goal_check_invalid" }]);
    finish(session, {
      goal_check: {
        state: "valid",
        value: { schema_version: 1, goal_met: true, reason: "all there", evidence: [] },
      },
    });
    expect(session.current).toMatchObject({
      status: "running",
      diagnosis: [],
      last: { succeeded: true },
    });
  });

  it("succeeds without a report, and is told when its report was no good", () => {
    const session = running();
    finish(session, { report: { state: "invalid", reason: "summary is missing", text: "{}" } });
    expect(session.current.last?.succeeded).toBe(true);
    expect(session.current.diagnosis).toMatchObject([
      { kind: "report_invalid", path: "iterations/0001_only" },
    ]);
  });

  it("consumes the request that it was assigned with, and only by succeeding", () => {
    const session = play(
      rulesOf([
        workflow("work", { may_complete: true }),
        workflow("look", { priority: 9, run_when_requested: true }),
      ]),
    );
    const requests = { look: digestOf(7) };
    session.feed({ kind: "next", next: session.next({ requests }) });
    expect(session.task).toMatchObject({ workflow_id: "look", request: digestOf(7) });
    const { task } = session;
    if (task.kind === "workflow")
      session.feed({
        kind: "finished",
        finished: finishedOf(task, { outcome: "failed" }),
        next: session.next({ requests }),
      });
    expect(session.task).toMatchObject({ workflow_id: "work" });
    finish(session, {}, false);
    session.feed({ kind: "next", next: session.next({ requests }) });
    expect(session.task).toMatchObject({ workflow_id: "look" });
    finish(session, {}, false);
    session.feed({ kind: "next", next: session.next({ requests }) });
    expect(session.task).toMatchObject({ workflow_id: "work" });
  });
});

describe("guidance", () => {
  const input = { id: "i1", text: "Prefer the existing mailer", at: "2026-01-01T00:00:00.000Z" };

  it("is in every prompt until a succeeded iteration disposes of it, and taken once", () => {
    const session = play();
    session.feed({ kind: "inputs", inputs: [input] });
    expect(session.feed({ kind: "inputs", inputs: [input] })).toEqual([]);
    expect(types(session.feed({ kind: "next", next: session.next() }))).toEqual([
      "task_assigned",
      "input_delivered",
    ]);
    const inputs = [{ id: "i1", disposition: "applied" }];
    finish(session, { outcome: "failed", report: reportWith(session, { inputs }) });
    expect(session.task).toMatchObject({ inputs: ["i1"] });
    expect(types(finish(session, { report: reportWith(session, { inputs }) }))).toEqual([
      "task_finished",
      "input_disposed",
      "task_assigned",
    ]);
    expect(session.current.inputs).toEqual([]);
    expect(session.feed({ kind: "inputs", inputs: [input] })).toEqual([]);
  });

  it("of a blocking question holds the next workflow until its answer, which becomes guidance", () => {
    const session = running();
    const questions = [{ id: "q1", text: "Which database?", blocking: true }];
    expect(types(finish(session, { report: reportWith(session, { questions }) }))).toEqual([
      "task_finished",
      "question_asked",
    ]);
    expect(session.feed({ kind: "next", next: session.next() })).toEqual([]);
    session.feed({ kind: "answered", answered: { id: "q1", text: "sqlite", by: "user" } });
    session.feed({ kind: "next", next: session.next() });
    expect(session.current.inputs).toMatchObject([
      { id: "q1", text: 'Answer to "Which database?": sqlite' },
    ]);
    expect(session.task).toMatchObject({ inputs: ["q1"] });
  });
});

describe("a held account", () => {
  const holds = { only: "2030-01-01T00:00:00.000Z" };

  it("is what the session waits for, but not where it has to stop anyway", () => {
    const session = play();
    expect(waiting(session.current, factsOf({ holds }))).toEqual({
      for: "hold",
      until: holds.only,
    });
    const spent_elsewhere = { tokens: 9, cost_usd: 0 };
    const limited = play(rulesOf(single, { limits: { max_tokens: 5 } }));
    expect(waiting(limited.current, factsOf({ holds, spent_elsewhere }))).toBeNull();
    limited.feed({ kind: "next", next: limited.next({ holds, spent_elsewhere }) });
    expect(limited.current.stop_reason).toBe("max_tokens");
  });

  it("leaves the session waiting, and a stop doesn't", () => {
    const session = play();
    expect(
      session.feed({
        kind: "next",
        next: session.next({ holds }),
      }),
    ).toEqual([]);
    session.feed({ kind: "stop", stop: { mode: "graceful", by: "user" } });
    expect(session.current).toMatchObject({ status: "stopped", stop_reason: "user_stop" });
  });
});
