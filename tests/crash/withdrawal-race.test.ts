import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Plan } from "./fixtures/faults.ts";
import { agentStart, kill, record, startCoordinator, startWorker } from "./harness/crew.ts";
import { leaveRoom } from "./harness/diagnosis.ts";
import { expectGoodEnd, sessionOf } from "./harness/ending.ts";
import { readProcess } from "./harness/process-table.ts";
import { createRoom, readWitness, type Room } from "./harness/room.ts";
import { readFileSync } from "node:fs";
import { until } from "./harness/wait.ts";

/** A place where a program waits until the test lets it go on. */
interface Barrier {
  /** Resolves with the pid of who waits there. */
  reached(): Promise<number>;
  release(): void;
  readonly what: { readonly kind: "hold"; readonly reached: string; readonly go: string };
}

describe(
  "the race between a shim's process.json and a recovery that withdraws its attempt",
  { timeout: 300_000 },
  () => {
    let room: Room;
    beforeEach(async () => {
      room = await createRoom();
    }, 300_000);
    afterEach(({ task }) => leaveRoom(room, task), 300_000);

    const barrier = (name: string): Barrier => {
      const what = {
        kind: "hold",
        reached: join(room.directory, `${name}.reached`),
        go: join(room.directory, `${name}.go`),
      } as const;
      return {
        what,
        async reached() {
          await until(
            `somebody at ${name}`,
            () => existsSync(what.reached) && readFileSync(what.reached, "utf8") !== "",
          );
          return Number(readFileSync(what.reached, "utf8"));
        },
        release: () => writeFileSync(what.go, ""),
      };
    };

    /** A plan for a worker whose shims stop at the barrier before the n-th of these calls on process.json. */
    const shimHeld = (name: string, call: string, at: Barrier): Plan => {
      const shim = join(room.directory, `${name}.shim.json`);
      writeFileSync(
        shim,
        JSON.stringify({
          faults: [{ match: { name: call, path: "/process\\.json" }, n: 1, what: at.what }],
        }),
      );
      return { faults: [], shim };
    };

    const starts = (): string[] =>
      readWitness(room).flatMap(({ event, attempt }) => (event === "start" ? [attempt] : []));
    const gone = (pid: number): Promise<boolean> =>
      until("the shim to end", () => readProcess(pid) === undefined);

    test("when recovery is first, the agent of the withdrawn attempt never starts", async () => {
      const shim = barrier("shim");
      await startCoordinator(room);
      const worker = startWorker(room, shimHeld("first", "linkSync", shim));
      const pid = await shim.reached();
      await kill(worker);
      startWorker(room);
      const withdrawn = (await record(sessionOf(room), "task_withdrawn"))["attempt_id"];
      await agentStart(room);
      shim.release();
      await gone(pid);
      await expectGoodEnd(room);
      expect(starts()).not.toContain(withdrawn);
    });

    test("when the shim is first, its agent is adopted and nothing is withdrawn", async () => {
      const [shim, recovery] = [barrier("shim"), barrier("recovery")];
      await startCoordinator(room, {
        faults: [
          { match: { name: "linkSync", path: "/process\\.json" }, n: 1, what: recovery.what },
        ],
      });
      const worker = startWorker(room, shimHeld("first", "linkSync", shim));
      await shim.reached();
      await kill(worker);
      startWorker(room);
      await recovery.reached();
      shim.release();
      const { attempt } = await agentStart(room);
      recovery.release();
      expect(await record(sessionOf(room), "task_finished")).toMatchObject({
        attempt_id: attempt,
        outcome: "ok",
      });
      await expectGoodEnd(room);
      expect(sessionOf(room).records("task_withdrawn")).toEqual([]);
    });

    test("a shim that wakes when its directory's name is in use again starts nothing there", async () => {
      const [old, fresh] = [barrier("old"), barrier("fresh")];
      await startCoordinator(room);
      const worker = startWorker(room, shimHeld("old", "openSync", old));
      const pid = await old.reached();
      await kill(worker);
      startWorker(room, shimHeld("fresh", "openSync", fresh));
      const withdrawn = (await record(sessionOf(room), "task_withdrawn"))["attempt_id"];
      // The directory of the next attempt has the same name and no process.json yet.
      await fresh.reached();
      old.release();
      await gone(pid);
      fresh.release();
      const { attempt } = await agentStart(room);
      expect(attempt).not.toBe(withdrawn);
      await expectGoodEnd(room);
      expect(starts()).not.toContain(withdrawn);
    });
  },
);
