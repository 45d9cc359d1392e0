import type { State } from "@loopwright/engine";
import { finishedOf, Play, rulesOf, started, workflow } from "@loopwright/engine/testing";
import { describe, expect, test } from "vitest";
import { chooseSession, type ChoiceFacts } from "./choose.ts";

function session(fields: Partial<State>): State {
  return {
    session_id: "S",
    status: "running",
    stop_reason: null,
    paused: null,
    iterations: 3,
    ...fields,
  } as State;
}

function choose(facts: Partial<ChoiceFacts>) {
  return chooseSession({
    latest: undefined,
    coordinatorAlive: false,
    wish: undefined,
    raise: [],
    ...facts,
  });
}

const raise = [{ limit: "max_iterations", add: 20 } as const];
const paused = { reason: "user", detail: "", at: "2026-01-01T00:00:00.000Z" } as const;
const stopped = session({
  status: "stopped",
  stop_reason: "user_stop",
  limits: { max_iterations: 3 } as State["limits"],
});
const met = session({ status: "goal_met", stop_reason: "goal_met" });

describe("a run", () => {
  test("without a session starts one", () => {
    expect(choose({})).toEqual({ kind: "new" });
    expect(choose({ wish: "new" })).toEqual({ kind: "new" });
    expect(() => choose({ wish: "resume" })).toThrow(
      expect.objectContaining({ code: "SESSION_NOT_FOUND" }),
    );
  });

  test("of a coordinator alone leaves a paused session paused, unless told otherwise", () => {
    const latest = session({ paused });
    expect(choose({ latest, staysPaused: true })).toEqual({
      kind: "continue",
      sessionId: "S",
      say: expect.stringContaining("is paused (user) until: loopwright resume"),
    });
    expect(choose({ latest, staysPaused: true, wish: "resume" })).toHaveProperty("reopen");
    expect(choose({ latest })).toHaveProperty("reopen");
  });

  test("continues an interrupted session and says so", () => {
    const choice = choose({ latest: session({}) });
    expect(choice).toEqual({
      kind: "continue",
      sessionId: "S",
      say: "Continuing session S, which was interrupted",
    });
  });

  test("continues a paused session, lifting the pause, and says so", () => {
    const choice = choose({ latest: session({ paused }) });
    expect(choice).toMatchObject({
      kind: "continue",
      say: expect.stringContaining("paused (user)"),
      reopen: { by: "run", raise: [] },
    });
  });

  test("looks on where a coordinator lives", () => {
    expect(choose({ latest: session({}), coordinatorAlive: true })).toEqual({
      kind: "attach",
      sessionId: "S",
    });
    expect(choose({ latest: session({ paused }), coordinatorAlive: true })).toEqual({
      kind: "attach",
      sessionId: "S",
    });
  });

  test("never leaves a session that hasn't ended behind", () => {
    for (const coordinatorAlive of [true, false]) {
      expect(() => choose({ latest: session({}), coordinatorAlive, wish: "new" })).toThrow(
        expect.objectContaining({ code: "SESSION_RUNNING", exitCode: 3 }),
      );
    }
  });

  test("refuses a stopped or failed session without a word about it", () => {
    for (const latest of [
      stopped,
      session({ ...stopped, status: "failed", stop_reason: "workflow_failure_cap" }),
    ]) {
      expect(() => choose({ latest })).toThrow(
        expect.objectContaining({ code: "SESSION_ENDED", exitCode: 3 }),
      );
      expect(choose({ latest, wish: "new" })).toEqual({ kind: "new" });
      expect(choose({ latest, wish: "resume", raise })).toMatchObject({
        kind: "continue",
        reopen: { by: "run", raise },
      });
    }
  });

  test("refuses to resume what a limit would stop again at once, and names the flag", () => {
    const play = new Play({
      kind: "started",
      started: started(rulesOf([workflow("only")], { limits: { max_iterations: 1 } })),
    });
    play.feed({ kind: "next", next: play.next() });
    const { task } = play;
    if (task.kind !== "workflow") throw new Error("nothing was assigned");
    play.feed({ kind: "finished", finished: finishedOf(task), next: play.next() });
    const latest = play.current;
    expect(latest.stop_reason).toBe("max_iterations");
    expect(() => choose({ latest, wish: "resume" })).toThrow(
      expect.objectContaining({
        code: "LIMIT_REACHED",
        hint: expect.stringContaining("resume --max-iterations +"),
      }),
    );
    expect(choose({ latest, wish: "resume", raise })).toMatchObject({ kind: "continue" });
  });

  test("replaces a session that ended without an iteration", () => {
    const latest = session({ status: "stopped", stop_reason: "baseline_green", iterations: 0 });
    expect(choose({ latest })).toMatchObject({
      kind: "new",
      say: expect.stringContaining("baseline_green"),
    });
  });

  test("never reopens a met goal", () => {
    expect(() => choose({ latest: met })).toThrow(
      expect.objectContaining({ code: "SESSION_ENDED" }),
    );
    expect(() => choose({ latest: met, wish: "resume" })).toThrow(
      expect.objectContaining({ code: "SESSION_ENDED" }),
    );
    expect(choose({ latest: met, wish: "new" })).toEqual({ kind: "new" });
  });
});
