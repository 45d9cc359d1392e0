import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Fault, NEEDS_SPACE, type Plan } from "./fixtures/faults.ts";
import { agentStart, ending, kill, record, startCoordinator, startWorker } from "./harness/crew.ts";
import { diagnosis, leaveRoom } from "./harness/diagnosis.ts";
import { expectGoodEnd, sessionOf } from "./harness/ending.ts";
import type { Program } from "./harness/program.ts";
import { createRoom, GOAL, type Room } from "./harness/room.ts";
import { sleep, until } from "./harness/wait.ts";

const JOURNAL = "journal\\.jsonl$";

describe("a disk that fails", { timeout: 900_000 }, () => {
  let room: Room;
  beforeEach(async () => {
    room = await createRoom({ steady: true });
  }, 300_000);
  afterEach(({ task }) => leaveRoom(room, task), 300_000);

  /** The line with this iteration's report. */
  const report = (iteration: number): NonNullable<Fault["match"]> => ({
    name: "writeSync",
    path: JOURNAL,
    content: `"type":"task_finished".*"iteration":${iteration},`,
  });

  const recordedOnce = (iteration: number): void => {
    expect(
      sessionOf(room)
        .records("task_finished")
        .filter(({ data }) => data["iteration"] === iteration),
    ).toHaveLength(1);
  };

  test("a failed append is undone, and the worker's next try succeeds", async () => {
    const coordinator = await startCoordinator(room, {
      faults: [{ match: report(2), n: 1, what: { kind: "fail", code: "EIO" } }],
    });
    startWorker(room);
    await agentStart(room, 4);
    expect(coordinator.ended()).toBe(false);
    await expectGoodEnd(room);
    recordedOnce(2);
  });

  test("an append that failed and couldn't be undone is cut off before the next", async () => {
    const coordinator = await startCoordinator(room, {
      faults: [
        { match: report(2), n: 1, what: { kind: "short_write", bytes: 40 } },
        {
          match: { name: "ftruncateSync", path: JOURNAL },
          n: 1,
          what: { kind: "fail", code: "EIO" },
        },
      ],
    });
    startWorker(room);
    await agentStart(room, 4);
    expect(coordinator.ended()).toBe(false);
    await expectGoodEnd(room);
    recordedOnce(2);
  });

  test("after a failed fdatasync the coordinator exits, and the next one goes on", async () => {
    const coordinator = await startCoordinator(room, {
      faults: [
        {
          from: report(2),
          match: { name: "fdatasyncSync", path: JOURNAL },
          n: 1,
          what: { kind: "fail", code: "EIO" },
        },
      ],
    });
    startWorker(room);
    expect(await ending(room, coordinator)).not.toBe(0);
    expect(coordinator.stderr()).toContain("DISK_FAILED");
    await startCoordinator(room);
    await expectGoodEnd(room);
    recordedOnce(2);
  });

  test("a full disk pauses the session by means of the reserve, and it goes on when space returns", async () => {
    const full = join(room.directory, "full");
    const reserve = join(room.runtimeRoot, "goals", GOAL, "reserve");
    const faults: Fault[] = [
      {
        match: { path: JOURNAL, name: "writeSync" },
        n: 1,
        while: [full, reserve],
        what: { kind: "fail", code: "ENOSPC" },
      },
      {
        match: { path: "/reserve", name: "openSync" },
        n: 1,
        while: [full],
        what: { kind: "fail", code: "ENOSPC" },
      },
    ];
    await startCoordinator(room, { faults });
    startWorker(room);
    await agentStart(room, 2);
    await until("a reserve", () => existsSync(reserve));
    writeFileSync(full, "");
    const session = sessionOf(room);
    expect(await record(session, "paused")).toMatchObject({ reason: "disk" });
    expect(existsSync(reserve)).toBe(false);
    const status = await room.call(["status", "--json"]);
    expect(JSON.parse(status.stdout)).toMatchObject({ goals: [{ stop_reason: null }] });
    rmSync(full);
    expect(await record(session, "resumed")).toMatchObject({ by: "loopwright" });
    await expectGoodEnd(room);
    expect(existsSync(reserve)).toBe(true);
  });

  test("a worker whose disk is full keeps what was paid for until there is room", async () => {
    const full = join(room.directory, "full");
    room.set("hold", true);
    await startCoordinator(room);
    startWorker(room, {
      faults: [
        {
          match: { name: NEEDS_SPACE, path: "/iterations/" },
          n: 1,
          while: [full],
          what: { kind: "fail", code: "ENOSPC" },
        },
      ],
    });
    const { attempt } = await agentStart(room);
    writeFileSync(full, "");
    room.set("hold", false);
    const session = sessionOf(room);
    await until("its end", () => existsSync(session.path("iterations/0001_work/exit.json")));
    await sleep(1_500);
    expect(session.records("task_finished")).toEqual([]);
    rmSync(full);
    expect(await record(session, "task_finished")).toMatchObject({
      attempt_id: attempt,
      outcome: "ok",
    });
    await expectGoodEnd(room);
  });

  /** Each second iteration k meets its fault at its (k/2)-th change of the disk, once, whichever process it hits. */
  const oneEach = (
    count: number,
    what: Fault["what"],
    place: (iteration: number) => Pick<Fault, "match" | "from">,
  ): Fault[] =>
    Array.from({ length: count }, (_, index) => {
      const iteration = 2 * index + 2;
      return {
        ...place(iteration),
        n: index + 1,
        once: join(room.directory, `fired-${iteration}`),
        what,
      };
    });

  const inDirectory = (iteration: number, name = ".*"): Pick<Fault, "match"> => ({
    match: { name, path: `/iterations/${String(iteration).padStart(4, "0")}_work(/|$)` },
  });

  /** Keeps both going, as `run` does, with faults under one of them, until that many iterations are done. */
  const goThrough = async (
    iterations: number,
    plans: { readonly coordinator?: Plan; readonly worker?: Plan },
  ): Promise<number> => {
    const start = {
      coordinator: (): Program =>
        room.start(
          ["coordinator"],
          plans.coordinator === undefined ? {} : { plan: plans.coordinator },
        ),
      worker: (): Program => startWorker(room, plans.worker),
    };
    await startCoordinator(room).then(kill);
    const programs = { coordinator: start.coordinator(), worker: start.worker() };
    let exits = 0;
    const finished = (): number => sessionOf(room).records("task_finished").length;
    await until(
      "all iterations",
      () => {
        for (const role of ["coordinator", "worker"] as const) {
          if (!programs[role].ended()) continue;
          exits += 1;
          programs[role] = start[role]();
        }
        return finished() >= iterations;
      },
      400_000,
    ).catch((error: unknown) => {
      throw new Error(`${(error as Error).message} ${exits} exits\n${diagnosis(room)}`);
    });
    return exits;
  };

  const fired = (): number =>
    readdirSync(room.directory).filter((name) => name.startsWith("fired-")).length;

  for (const code of ["EIO", "ENOSPC"] as const) {
    const place = (iteration: number): Pick<Fault, "match"> =>
      inDirectory(iteration, code === "ENOSPC" ? NEEDS_SPACE : ".*");

    test(`a worker goes on after ${code} at any change of the disk, and no finished agent is lost`, async () => {
      // More than an iteration makes of them.
      const count = code === "ENOSPC" ? 22 : 30;
      const faults = oneEach(count, { kind: "fail", code }, place);
      await goThrough(2 * count + 2, { worker: { faults } });
      expect(fired()).toBeGreaterThan(15);
      await expectGoodEnd(room);
    });
  }

  test("a shim goes on after EIO at any change of the disk", async () => {
    const shim = join(room.directory, "shim.json");
    const faults = oneEach(12, { kind: "fail", code: "EIO" }, inDirectory);
    writeFileSync(shim, JSON.stringify({ faults }));
    await goThrough(26, { worker: { faults: [], shim } });
    expect(fired()).toBeGreaterThan(8);
    await expectGoodEnd(room);
  });

  test("a coordinator goes on after EIO at any change of the disk", async () => {
    const faults = oneEach(12, { kind: "fail", code: "EIO" }, (iteration) => ({
      from: report(iteration),
    }));
    await goThrough(26, { coordinator: { faults } });
    expect(fired()).toBeGreaterThan(5);
    await expectGoodEnd(room);
  });
});
