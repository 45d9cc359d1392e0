import { existsSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../seams/clock.ts";
import type { AttemptProcess } from "./attempt-process.ts";
import type { Order } from "./order.ts";
import { type StopRequest, type StopResult, stopAttempt } from "./stop-ladder.ts";
import { type AttemptRoom, createAttemptRoom, until } from "./testing/attempt-room.ts";

let room: AttemptRoom;
beforeEach(() => {
  room = createAttemptRoom();
});
afterEach(() => room.close());

const stop = (
  order: Order,
  attempt: AttemptProcess,
  changes: Partial<StopRequest> = {},
): Promise<StopResult> =>
  stopAttempt({
    processes: room.processes,
    clock: systemClock,
    marker: order.attemptId,
    shim: attempt.shim,
    grace: { native: 200, term: 200 },
    ...changes,
  });

/** Runs an agent with children, each of which writes its pid; returns once all are there. */
const running = async (
  children: object[],
  own: object[] = [],
): Promise<{ order: Order; attempt: AttemptProcess; pids: number[] }> => {
  const spawns = children.map((child, index) => ({
    spawn: { ...child, pidFile: `child-${index}` },
  }));
  const order = room.agent([...own, ...spawns, { write: "ready" }, { sleep: 60_000 }]);
  const attempt = await room.start(order);
  await until(() => existsSync(room.path("ready")));
  const pids = await Promise.all(children.map((_, index) => room.pid(`child-${index}`)));
  return { order, attempt, pids };
};

const alive = (pids: number[]): number[] =>
  pids.filter((pid) => room.processes.identity(pid) !== undefined);

describe("stopping an attempt", () => {
  it.each([
    ["that ignores TERM", { ignoreTerm: true }],
    ["in a session of its own", { setsid: true }],
    ["in a session of its own that ignores TERM", { setsid: true, ignoreTerm: true }],
    ["that forked twice to become a daemon", { doubleFork: true, ignoreTerm: true }],
    ["that cleaned its environment but stayed in the group", { cleanEnv: true, ignoreTerm: true }],
    ["that cleaned its environment and left the group", { cleanEnv: true, setsid: true }],
  ])("ends a grandchild %s", async (_, child) => {
    const { order, attempt, pids } = await running([child]);
    const { ended, survivors } = await stop(order, attempt);
    expect(survivors).toEqual([]);
    expect(alive([attempt.agentPid, ...pids])).toEqual([]);
    expect(ended.map((row) => row.pid)).toEqual(
      expect.arrayContaining([attempt.agentPid, ...pids]),
    );
    expect(await attempt.exited).toMatchObject({ signal: "SIGTERM" });
  });

  it("ends an agent that ignores everything, and its shim still writes exit.json", async () => {
    const { order, attempt } = await running(
      [],
      [{ ignoreSignal: ["SIGINT", "SIGTERM", "SIGHUP"] }],
    );
    await stop(order, attempt, { nativeSignal: "SIGINT" });
    expect(room.json("1.exit.json")).toMatchObject({ code: null, signal: "SIGKILL" });
    expect(room.processes.liveness(attempt.shim)).toBe("dead");
  });

  it("gives the native signal first and ends early when that suffices", async () => {
    const { order, attempt } = await running([], [{ onSignal: "SIGINT", steps: [{ exit: 42 }] }]);
    const before = performance.now();
    await stop(order, attempt, { nativeSignal: "SIGINT", grace: { native: 20_000, term: 20_000 } });
    expect(performance.now() - before).toBeLessThan(10_000);
    expect(await attempt.exited).toEqual({ code: 42, signal: null });
  });

  it("waits for nothing any more once it is told to hurry", async () => {
    const { order, attempt } = await running(
      [{ setsid: true, ignoreTerm: true }],
      [{ ignoreSignal: "SIGTERM" }],
    );
    const hurry = new AbortController();
    const stopped = stop(order, attempt, { grace: { term: 60_000 }, signal: hurry.signal });
    hurry.abort();
    expect((await stopped).survivors).toEqual([]);
  });

  it("keeps up with a process that forks all the time", async () => {
    const script = 'trap "" TERM; echo > ready; while :; do sleep 5 & sleep 0.01; done';
    const order = room.program("/bin/sh", ["-c", script], { env: { PATH: "/usr/bin:/bin" } });
    const attempt = await room.start(order);
    await until(() => existsSync(room.path("ready")));
    expect((await stop(order, attempt, { grace: { term: 50 } })).survivors).toEqual([]);
    expect(room.processes.marked(order.attemptId)).toEqual([]);
  });

  it("needs no shim: the marker alone finds what recovery must end", async () => {
    const { order, attempt, pids } = await running([{ setsid: true }, {}]);
    room.processes.signal(attempt.shim, "SIGKILL");
    expect(await attempt.exited).toMatchObject({ lost: true });
    const { survivors } = await stop(order, attempt);
    expect(survivors).toEqual([]);
    expect(alive([attempt.agentPid, ...pids])).toEqual([]);
  });

  it("is content with an attempt of which nothing runs", async () => {
    const order = room.agent([]);
    const attempt = await room.start(order);
    await attempt.exited;
    await until(() => room.processes.liveness(attempt.shim) === "dead");
    expect(await stop(order, attempt)).toEqual({ ended: [], survivors: [] });
  });

  it("leaves other attempts alone", async () => {
    const other = await room.start(room.agent([{ waitForFile: "go" }, { exit: 5 }]));
    const order = room.agent([{ sleep: 60_000 }]);
    await stop(order, await room.start(order));
    writeFileSync(room.path("go"), "");
    expect(await other.exited).toEqual({ code: 5, signal: null });
  });

  it("touches nothing under a number that was used again", async () => {
    const { order, attempt } = await running([]);
    const earlier = { ...attempt.shim, start_time: String(Number(attempt.shim.start_time) - 1) };
    const { survivors } = await stop(
      order,
      { ...attempt, shim: earlier },
      { marker: "0".repeat(26) },
    );
    expect(alive([attempt.agentPid, attempt.shim.pid])).toHaveLength(2);
    // Inside a group with the recorded number, but not provably ours.
    expect(survivors.map((row) => row.pid)).toEqual([attempt.agentPid]);
  });
});
