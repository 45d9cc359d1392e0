import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  agentStart,
  ending,
  kill,
  record,
  serves,
  startCoordinator,
  startWorker,
} from "./harness/crew.ts";
import { diagnosis, leaveRoom } from "./harness/diagnosis.ts";
import { expectGoodEnd, expectInvariants, sessionOf } from "./harness/ending.ts";
import { readProcess, signalProcess } from "./harness/process-table.ts";
import { createRoom, GOAL, type Room } from "./harness/room.ts";
import { until } from "./harness/wait.ts";

const ROUNDS = 50;

describe("of two", { timeout: 600_000 }, () => {
  let room: Room;
  beforeEach(async () => {
    room = await createRoom();
  }, 300_000);
  afterEach(({ task }) => leaveRoom(room, task), 300_000);

  test(`coordinators that start together, exactly one runs, ${ROUNDS} times`, async () => {
    for (let round = 1; round <= ROUNDS; round += 1) {
      const both = [room.start(["coordinator"]), room.start(["coordinator"])];
      await until(
        "one to serve and one to be refused",
        () => both.some((one) => one.ended()) && both.some((one) => serves(room, one)),
      );
      const [winner, loser] = both[0]?.ended() === true ? [both[1], both[0]] : [both[0], both[1]];
      if (winner === undefined || loser === undefined) throw new Error("there were two");
      expect({ round, code: await loser.exited, said: loser.stderr() }).toMatchObject({
        code: 3,
        said: expect.stringMatching(/LOCK_HELD|SESSION_RUNNING/) as string,
      });
      expect(winner.ended()).toBe(false);
      expect(sessionOf(room).records("coordinator_started")).toHaveLength(round);
      // Half of them leave in order, half don't.
      signalProcess(winner, round % 2 === 0 ? "SIGTERM" : "SIGKILL");
      await winner.exited;
    }
    const sessions = readdirSync(join(room.runtimeRoot, "goals", GOAL, "sessions"));
    expect(sessions).toEqual([sessionOf(room).id]);
    await expectGoodEnd(room);
  });

  test("runs that start together, one makes the session and the other is refused or looks on", async () => {
    const both = [room.start(["run"]), room.start(["run"])];
    await agentStart(room, 3);
    room.set("finish", true);
    const ends = await Promise.all(both.map((one) => one.exited));
    expect(
      ends.toSorted((a, b) => Number(a) - Number(b)),
      diagnosis(room),
    ).toEqual([0, expect.toSatisfy((code) => code === 0 || code === 3) as number]);
    await expectInvariants(room);
  });

  test("goals on one checkout, the second is refused", async () => {
    expect(
      await room.call(["init", "--runtime-root", room.runtimeRoot, "--goal-id", "second-goal"]),
    ).toMatchObject({ code: 0 });
    const first = room.start(["run", "--goal", GOAL]);
    await agentStart(room);
    const refused = await room.call(["run", "--goal", "second-goal"]);
    expect(refused).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("CHECKOUT_HELD") as string,
    });
    expect(refused.stderr).toContain(GOAL);
    await kill(first);
    await finishFirst();
    // Its turn comes when the first has ended.
    expect(await room.call(["run", "--goal", "second-goal"])).toMatchObject({
      stderr: expect.not.stringContaining("CHECKOUT_HELD") as string,
    });
  });

  const finishFirst = async (): Promise<void> => {
    room.set("finish", true);
    const code = await room.start(["run", "--goal", GOAL]).exited;
    expect([0, 3]).toContain(code);
    await until("nobody to be left", () => room.processes().length === 0);
  };

  test("workers, the second is refused while the first lives and welcome after it died", async () => {
    room.set("hold", true);
    await startCoordinator(room);
    const first = startWorker(room);
    const { attempt } = await agentStart(room);
    const second = startWorker(room);
    expect(await ending(room, second)).toBe(3);
    expect(second.stderr()).toContain("SEAT_TAKEN");
    expect(second.stderr()).toContain(String(first.pid));
    // A stopped one lives.
    signalProcess(first, "SIGSTOP");
    expect(await startWorker(room).exited).toBe(3);
    signalProcess(first, "SIGCONT");
    await kill(first);
    const third = startWorker(room);
    await until("its seat", () => {
      const seated = sessionOf(room).records("worker_seated").at(-1)?.data["identity"];
      return (seated as { pid: number } | undefined)?.pid === third.pid;
    });
    room.set("hold", false);
    expect(await record(sessionOf(room), "task_finished")).toMatchObject({
      attempt_id: attempt,
      outcome: "ok",
    });
    expect(readProcess(third.pid)).toBeDefined();
    await expectGoodEnd(room);
  });
});
