import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Fault, Match } from "./fixtures/faults.ts";
import { killAt } from "./harness/calls.ts";
import { agentStart, death, kill, serves, startCoordinator, startWorker } from "./harness/crew.ts";
import { diagnosis, leaveRoom } from "./harness/diagnosis.ts";
import { expectGoodEnd, expectInvariants, expectSettled, sessionOf } from "./harness/ending.ts";
import { judge } from "./harness/oracle.ts";
import type { Program } from "./harness/program.ts";
import { createRoom, type Room } from "./harness/room.ts";
import { until } from "./harness/wait.ts";

/** More than any of these needs: an end to a loop that would never come to its own. */
const MOST = 150;

/** A goal's projection is written anew by whoever comes next; a death while it is written is tested once, at a start. */
const BUT_PROJECTIONS: Match = { path: "^(?!.*/projections/)" };
/** Nobody reads what is written beside a file until its renaming, which counts; all of it is tested at both starts. */
const WHAT_READERS_SEE: Match = { path: "^(?!.*/projections/)(?!.*\\.tmp$)" };

/** Each test kills at the first, the second, … change of the disk, until one more comes too late. */
describe("killed at every change of the disk", { timeout: 900_000 }, () => {
  let room: Room;
  beforeEach(async () => {
    room = await createRoom({ steady: true });
  }, 300_000);
  afterEach(({ task }) => leaveRoom(room, task), 300_000);

  /** Starts a program for n = 1, 2, … until one outlives its n; tells how many died. */
  const untilOneOutlives = async (
    start: (n: number) => Program | Promise<Program>,
    outlived: (program: Program, n: number) => boolean,
  ): Promise<number> => {
    for (let n = 1; n <= MOST; n += 1) {
      const program = await start(n);
      const end = await until(`operation ${n} to kill it or not to come\n`, () =>
        program.ended() ? "died" : outlived(program, n) && "outlived",
      ).catch((error: unknown) => {
        throw new Error(`${(error as Error).message}${diagnosis(room)}`);
      });
      if (end === "outlived") {
        await kill(program);
        return n - 1;
      }
      await death(program);
      const session = room.session();
      if (session !== undefined)
        expect({ n, faults: judge(room, session, { running: true }) }).toEqual({ n, faults: [] });
    }
    throw new Error("It never came to an end.");
  };

  test("a coordinator that makes a session", async () => {
    const deaths = await untilOneOutlives(
      (n) => room.start(["coordinator"], { plan: killAt(n, { match: BUT_PROJECTIONS }) }),
      (program) => serves(room, program),
    );
    expect(deaths).toBeGreaterThan(30);
    await expectGoodEnd(room);
  });

  test("a coordinator that takes up a session", async () => {
    room.set("hold", true);
    const first = await startCoordinator(room);
    startWorker(room);
    await agentStart(room);
    await kill(first);
    const deaths = await untilOneOutlives(
      (n) => room.start(["coordinator"], { plan: killAt(n) }),
      (program) => serves(room, program),
    );
    expect(deaths).toBeGreaterThan(15);
    await expectGoodEnd(room);
  });

  /** A coordinator for one iteration after the other; `type` is the record with whose line the counting begins. */
  const coordinatorFrom = (type: string): Promise<number> => {
    const from: Match = {
      name: "writeSync",
      path: "journal\\.jsonl$",
      content: `"type":"${type}"`,
    };
    let known = 0;
    return untilOneOutlives(
      (n) => {
        known = sessionOf(room).records(type).length;
        return room.start(["coordinator"], { plan: killAt(n, { from, match: WHAT_READERS_SEE }) });
      },
      () => sessionOf(room).records(type).length > known + 1,
    );
  };

  test("a coordinator that records an iteration and assigns the next", async () => {
    const first = await startCoordinator(room);
    startWorker(room);
    await agentStart(room);
    await kill(first);
    expect(await coordinatorFrom("task_finished")).toBeGreaterThan(1);
    await startCoordinator(room);
    await expectGoodEnd(room);
  });

  test("a coordinator that has a claim verified and refuses it", async () => {
    room.set("claims", true);
    const first = await startCoordinator(room);
    startWorker(room);
    await agentStart(room);
    await kill(first);
    expect(await coordinatorFrom("control_accepted")).toBeGreaterThan(2);
    await startCoordinator(room);
    await expectGoodEnd(room);
  });

  test("a coordinator that ends a session", async () => {
    room.set("finish", true);
    const from: Match = {
      name: "writeSync",
      path: "journal\\.jsonl$",
      content: '"type":"session_stopped"',
    };
    let deaths = 0;
    for (let ended: number | string = "SIGKILL"; ended === "SIGKILL"; deaths += 1) {
      // Each is a session of its own, with everything still to do.
      for (const path of [join(room.repository, "goal.txt"), join(room.agentRoom, "witness")])
        rmSync(path, { force: true });
      const words = ["coordinator", ...(deaths === 0 ? [] : ["--new"])];
      const coordinator = room.start(words, {
        plan: killAt(deaths + 1, { from, match: WHAT_READERS_SEE }),
      });
      await until("the coordinator to serve", () => serves(room, coordinator));
      const worker = startWorker(room);
      await until("the end", () => coordinator.ended());
      ended = await coordinator.exited;
      // Nothing is left to do, unless the end itself was not written down.
      const code = await room.start(["run"]).exited;
      expect([0, 3]).toContain(code);
      await until("the worker to be told", () => worker.ended());
      await expectSettled(room);
    }
    await expectInvariants(room);
    expect(deaths).toBeGreaterThan(5);
  });

  /** Workers one after the other, each killed at its n-th change; `type` is the record that ends what is looked at. */
  const workerFrom = (
    place: () => Pick<Fault, "from" | "match">,
    type: string,
    before?: () => Promise<void>,
  ): Promise<number> => {
    let known = 0;
    return untilOneOutlives(
      async (n) => {
        await before?.();
        known = sessionOf(room).records(type).length;
        return startWorker(room, killAt(n, place()));
      },
      // One more: with the first it may only have finished what the worker before began.
      () => sessionOf(room).records(type).length > known + 1,
    );
  };

  test("a worker that runs an iteration", async () => {
    await startCoordinator(room);
    const from: Match = { name: "mkdirSync", path: "/iterations/\\d{4}_work$" };
    expect(await workerFrom(() => ({ from }), "task_finished")).toBeGreaterThan(20);
    startWorker(room);
    await expectGoodEnd(room);
  });

  test("a worker that adopts an agent", async () => {
    await startCoordinator(room);
    let agents = 0;
    const leaveAnAgent = async (): Promise<void> => {
      room.set("hold", true);
      const worker = startWorker(room);
      agents += 1;
      await agentStart(room, agents);
      await kill(worker);
      room.set("hold", false);
    };
    const inItsDirectory = (): Pick<Fault, "match"> => ({
      match: { path: `${sessionOf(room).lastTask()?.directory ?? ""}(/|$)` },
    });
    const deaths = await workerFrom(inItsDirectory, "task_finished", leaveAnAgent);
    expect(deaths).toBeGreaterThan(8);
    startWorker(room);
    await expectGoodEnd(room);
  });

  test("a worker that verifies a claim", async () => {
    room.set("claims", true);
    await startCoordinator(room);
    const match: Match = { path: "/evaluations/\\d{4}-" };
    expect(await workerFrom(() => ({ match }), "verification_finished")).toBeGreaterThan(10);
    startWorker(room);
    await expectGoodEnd(room);
  });

  test("a shim", async () => {
    const shim = join(room.directory, "shim.json");
    // Each second iteration's: three in a row would pause the session, as they should.
    const faults = Array.from({ length: 16 }, (_, index): Fault => {
      const directory = `/${String(2 * index + 2).padStart(4, "0")}_work`;
      return { match: { path: `${directory}(/|$)` }, n: index + 1, what: { kind: "kill" } };
    });
    writeFileSync(shim, JSON.stringify({ faults }));
    await startCoordinator(room);
    startWorker(room, { faults: [], shim });
    const session = sessionOf(room);
    await until(
      "all of them",
      () => session.records("task_finished").length > 2 * faults.length + 1,
      300_000,
    ).catch((error: unknown) => {
      throw new Error(`${(error as Error).message}\n${diagnosis(room)}`);
    });
    const lost = session.records("task_finished").filter(({ data }) => data["outcome"] !== "ok");
    expect(lost.length).toBeGreaterThan(8);
    for (const { data } of lost) expect(data).toMatchObject({ succeeded: false, counted: false });
    await expectGoodEnd(room, { mayAbandon: true });
  });
});
