import type { JournalRecord, Rules } from "@loopwright/protocol";
import { describe, expect, it } from "vitest";
import {
  digestOf,
  factsOf,
  finishedOf,
  receiptOf,
  rulesOf,
  started,
  treeOf,
  workflow,
} from "../testing/fixtures.ts";
import { Play } from "../testing/play.ts";
import type { Finished } from "./occurrence.ts";
import { refusal } from "./refusal.ts";
import { waiting } from "./waiting.ts";

const only = [workflow("only", { may_complete: true })];
const gated = rulesOf(only, {
  gate: { checks: [{ id: "test", sha256: digestOf(1), required: true }], baseline: "allow_green" },
});
const types = (records: readonly JournalRecord[]): string[] => records.map((record) => record.type);
const by = "user";

function running(rules: Rules = rulesOf(only)): Play {
  const session = new Play({ kind: "started", started: started(rules) });
  session.feed({ kind: "next", next: session.next() });
  if (session.task.kind === "verification") verify(session);
  return session;
}

function verify(session: Play, outcome: "pass" | "fail" | "error" = "pass"): string[] {
  const { task } = session;
  if (task.kind !== "verification") throw new Error("an iteration is live");
  const { verification: kind, attempt_id, iteration, number } = task;
  const receipt = receiptOf(session.current.rules, treeOf(3), { test: outcome });
  return types(
    session.feed({
      kind: "verified",
      verified: {
        kind,
        attempt_id,
        iteration,
        number,
        receipt,
        live_ms: 1,
        cost_usd: null,
        recovered: false,
      },
      next: session.next(),
    }),
  );
}

function finish(session: Play, changes: Partial<Finished> = {}): string[] {
  const { task } = session;
  if (task.kind !== "workflow") throw new Error("a verification is live");
  return types(
    session.feed({ kind: "finished", finished: finishedOf(task, changes), next: session.next() }),
  );
}

function claim(session: Play, changes: Partial<Finished> = {}): string[] {
  const { attempt_id } = session.task;
  return finish(session, {
    ...changes,
    control: {
      state: "valid",
      value: {
        schema_version: 1,
        attempt_id,
        state: "stopped",
        stop_reason: "goal_met",
        reason: "done",
        attempted_routes: [],
      },
    },
  });
}

const stop = (mode: "graceful" | "now" | "kill") => ({ kind: "stop" as const, stop: { mode, by } });
const pause = { kind: "pause" as const, pause: { reason: "user" as const, detail: "", by } };
const resume = (reopen = false, raise: { limit: "max_iterations"; to: number }[] = []) => ({
  kind: "resume" as const,
  by,
  raise,
  reopen,
});

describe("a stop", () => {
  it("ends an idle session in the line of its request", () => {
    const session = new Play({ kind: "started", started: started(rulesOf(only)) });
    expect(types(session.feed(stop("graceful")))).toEqual(["stop_requested", "session_stopped"]);
  });

  it("waits for the iteration, then comes before the next one", () => {
    const session = running();
    expect(types(session.feed(stop("graceful")))).toEqual(["stop_requested"]);
    expect(finish(session)).toEqual(["task_finished", "session_stopped"]);
    expect(session.current).toMatchObject({ status: "stopped", stop_reason: "user_stop" });
  });

  it("waits for the verdict over a claim, which may meet the goal", () => {
    const session = running(gated);
    session.feed(stop("graceful"));
    expect(claim(session)).toEqual(["task_finished", "control_accepted", "verification_started"]);
    verify(session);
    expect(session.current.status).toBe("goal_met");
    const refused = running(gated);
    refused.feed(stop("graceful"));
    claim(refused);
    verify(refused, "fail");
    expect(refused.current.stop_reason).toBe("user_stop");
  });

  it("at once leaves the claim latched, and its verification is next after a reopening", () => {
    const session = running(gated);
    session.feed(stop("now"));
    expect(claim(session)).toEqual(["task_finished", "control_accepted", "session_stopped"]);
    session.feed(resume(true));
    session.feed({ kind: "next", next: session.next() });
    expect(session.task).toMatchObject({ kind: "verification", verification: "claim" });
  });

  it("grows harder, never softer", () => {
    const session = running();
    session.feed(stop("now"));
    expect(session.feed(stop("graceful"))).toEqual([]);
    expect(types(session.feed(stop("kill")))).toEqual(["stop_requested"]);
  });

  it("doesn't wait for a gate that errors, nor behind a pause", () => {
    const session = running(gated);
    claim(session);
    session.feed(stop("graceful"));
    expect(verify(session, "error")).toEqual(["verification_finished", "session_stopped"]);
    const paused = running(gated);
    paused.feed(pause);
    claim(paused);
    expect(types(paused.feed(stop("graceful")))).toEqual(["stop_requested", "session_stopped"]);
    expect(paused.current.claim).not.toBeNull();
    const pausing = running(gated);
    pausing.feed(stop("graceful"));
    expect(claim(pausing, { cause: "auth" })).toEqual([
      "task_finished",
      "control_accepted",
      "paused",
      "session_stopped",
    ]);
  });
});

describe("a pause", () => {
  it("lets the iteration end and launches nothing until it is resumed", () => {
    const session = running();
    session.feed(pause);
    expect(session.feed(pause)).toEqual([]);
    expect(finish(session)).toEqual(["task_finished"]);
    expect(session.feed({ kind: "next", next: session.next() })).toEqual([]);
    expect(waiting(session.current, factsOf())).toEqual({ for: "paused" });
    session.feed(resume());
    expect(types(session.feed({ kind: "next", next: session.next() }))).toEqual(["task_assigned"]);
  });

  it.each([
    ["auth", { outcome: "failed", cause: "auth", evidence: "401" }],
    ["config", { outcome: "bootstrap_failed", cause: "config" }],
    ["denied", { outcome: "denied" }],
    ["workspace", { outcome: "workspace_gone" }],
    ["disk", { outcome: "disk", evidence: "ENOSPC" }],
  ] as const)("comes by itself at the first %s", (reason, changes) => {
    const session = running();
    expect(finish(session, changes)).toEqual(["task_finished", "paused"]);
    expect(session.current).toMatchObject({
      paused: { reason },
      workflows: { only: { failures_in_row: 0 } },
    });
  });

  it("comes after three crashes in a row, and after three more once a person has resumed", () => {
    const session = running();
    const crash = (): string[] => finish(session, { outcome: "failed", cause: "crash" });
    crash();
    crash();
    expect(crash()).toEqual(["task_finished", "paused"]);
    expect(session.current.paused?.reason).toBe("crash_loop");
    session.feed(resume());
    session.feed({ kind: "next", next: session.next() });
    expect(crash()).toEqual(["task_finished", "task_assigned"]);
  });
});

describe("a resume", () => {
  it("raises limits and reopens an ended session, whose totals and history stay", () => {
    const session = running(rulesOf(only, { limits: { max_iterations: 1 } }));
    expect(finish(session)).toEqual(["task_finished", "limit_reached", "session_stopped"]);
    expect(session.feed(resume())).toEqual([]);
    expect(refusal(session.current, resume())?.refused).toBe("SESSION_ENDED");
    expect(types(session.feed(resume(true, [{ limit: "max_iterations", to: 3 }])))).toEqual([
      "session_reopened",
      "limit_raised",
    ]);
    session.feed({ kind: "next", next: session.next() });
    expect(session.current).toMatchObject({
      iterations: 1,
      task: { iteration: 2 },
      limits: { max_iterations: 3 },
    });
  });

  it("starts anew what the failure cap, refusals and progress count, and lifts benches", () => {
    const workflows = [
      workflow("only", { may_complete: true }),
      workflow("look", { priority: 9, emits_goal_check: true }),
    ];
    const session = running(rulesOf(workflows, { limits: { workflow_failure_cap: 1 } }));
    expect(finish(session, { outcome: "failed", orderly: false })).toEqual([
      "task_finished",
      "workflow_benched",
      "task_assigned",
    ]);
    expect(finish(session, { outcome: "failed" })).toEqual(["task_finished", "session_stopped"]);
    expect(session.current.stop_reason).toBe("workflow_failure_cap");
    session.feed(resume(true));
    expect(session.current.workflows).toMatchObject({
      only: { failures_in_row: 0, starts: 1 },
      look: { benched: false, failures_in_row: 0 },
    });
  });

  it("takes back a stop that still waits", () => {
    const session = running();
    session.feed(stop("graceful"));
    expect(types(session.feed(resume()))).toEqual(["resumed"]);
    expect(finish(session)).toEqual(["task_finished", "task_assigned"]);
  });

  it("that ends a pause leaves a stop that was asked for before", () => {
    const session = running();
    session.feed(stop("graceful"));
    session.feed({ kind: "pause", pause: { reason: "disk", detail: "full", by: "engine" } });
    session.feed({ kind: "resume", by: "engine", raise: [], reopen: false });
    expect(session.current).toMatchObject({ paused: null, stop_requested: { mode: "graceful" } });
    expect(finish(session)).toEqual(["task_finished", "session_stopped"]);
  });

  it("never reopens a met goal", () => {
    const session = running();
    claim(session);
    expect(session.current.status).toBe("goal_met");
    expect(session.feed(resume(true))).toEqual([]);
  });
});
