import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Fault, NEEDS_SPACE } from "./fixtures/faults.ts";
import { agentStart, ending, record } from "./harness/crew.ts";
import { diagnosis, leaveRoom } from "./harness/diagnosis.ts";
import { expectGoodEnd, expectInvariants, sessionOf } from "./harness/ending.ts";
import { createRoom, readWitness } from "./harness/room.ts";
import { mountSmallDisk } from "./harness/tmpfs.ts";
import { until } from "./harness/wait.ts";

const DEADLINE_MS = 300_000;

test(
  "run starts another coordinator after a failed fdatasync, and waits for room to do it",
  { timeout: DEADLINE_MS },
  async ({ task }) => {
    const room = await createRoom({ steady: true });
    try {
      const full = join(room.directory, "full");
      const faults: Fault[] = [
        {
          from: {
            name: "writeSync",
            path: "journal\\.jsonl$",
            content: '"type":"task_finished".*"iteration":2,',
          },
          match: { name: "fdatasyncSync", path: "journal\\.jsonl$" },
          n: 1,
          once: join(room.directory, "fired"),
          what: { kind: "fail", code: "EIO" },
        },
        {
          match: { name: NEEDS_SPACE, path: "/locks/" },
          n: 1,
          while: [full],
          what: { kind: "fail", code: "ENOSPC" },
        },
      ];
      const run = room.start(["run"], { plan: { faults } });
      await agentStart(room);
      writeFileSync(full, "");
      await until(
        "run to say what it waits for",
        () => run.ended() || run.stderr().includes("no room on the disk"),
      );
      rmSync(full);
      await expectGoodEnd(room, { run });
    } catch (error) {
      throw new Error(`${(error as Error).message}\n${diagnosis(room)}`, { cause: error });
    } finally {
      await leaveRoom(room, task);
    }
  },
);

const disk = mountSmallDisk(160);
const unless =
  disk === undefined
    ? " (not run: this user may not mount a tmpfs; injected faults stand for it)"
    : "";

test.skipIf(disk === undefined)(
  `a session on a file system that is really full pauses, and goes on when space returns${unless}`,
  { timeout: DEADLINE_MS },
  async ({ task }) => {
    if (disk === undefined) return;
    const room = await createRoom({ steady: true, disk: disk.directory });
    try {
      const run = room.start(["run"]);
      await agentStart(room, 2);
      disk.fill();
      const session = sessionOf(room);
      expect(await record(session, "paused")).toMatchObject({ reason: "disk" });
      disk.empty();
      await record(session, "resumed");
      const before = readWitness(room).length;
      await until("another agent", () => readWitness(room).length > before);
      room.set("finish", true);
      expect(await ending(room, run)).toBe(0);
      await expectInvariants(room, { mayAbandon: true });
    } catch (error) {
      throw new Error(`${(error as Error).message}\n${diagnosis(room)}`, { cause: error });
    } finally {
      disk.empty();
      await leaveRoom(room, task);
      disk.remove();
    }
  },
);
