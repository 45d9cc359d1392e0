import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../seams/clock.ts";
import type { Launched } from "./attempt-process.ts";
import type { Order } from "./order.ts";
import { type AttemptRoom, createAttemptRoom, until } from "./testing/attempt-room.ts";
import { withdraw } from "./withdraw.ts";

const fixture = (name: string): string =>
  fileURLToPath(new URL(`./testing/${name}`, import.meta.url));

describe("when the worker dies", () => {
  let room: AttemptRoom;
  let worker: ChildProcess | undefined;
  beforeEach(() => {
    room = createAttemptRoom();
  });
  afterEach(async () => {
    worker?.kill("SIGKILL");
    await room.close();
  });

  const startWorker = async (order?: Order, files: number[] = []): Promise<ChildProcess> => {
    const args = ["--conditions=loopwright-source", fixture("worker.ts")];
    const child = spawn(
      process.execPath,
      order === undefined ? args : [...args, JSON.stringify(order)],
      {
        stdio: ["ignore", "pipe", "inherit", ...files],
      },
    );
    worker = child;
    if (child.stdout) await once(child.stdout, "data");
    return child;
  };

  it("the agent goes on, and its output and its exit are on record", async () => {
    const order = room.agent([
      { print: "one " },
      { waitForFile: "go" },
      { print: "two" },
      { exit: 7 },
    ]);
    const child = await startWorker(order);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(existsSync(order.exitPath)).toBe(false);
    writeFileSync(room.path("go"), "");
    await until(() => existsSync(order.exitPath));
    expect(room.json("1.exit.json")).toMatchObject({ code: 7, signal: null });
    expect(room.read("1.out")).toBe("one two");
  });

  it("an agent in a dialogue sees the end of its stdin", async () => {
    const order = room.agent([{ echoLines: true }, { exit: 3 }], { stdinPipe: true });
    (await startWorker(order)).kill("SIGKILL");
    await until(() => existsSync(order.exitPath));
    expect(room.json("1.exit.json")).toMatchObject({ code: 3 });
  });

  it("its spare shim goes too", async () => {
    const child = await startWorker();
    const spare = room.processes.descendants([child.pid ?? 0])[0];
    const identity = spare && room.processes.identity(spare.pid);
    if (identity === undefined) throw new Error("no spare was started");
    child.kill("SIGKILL");
    await until(() => room.processes.liveness(identity) === "dead");
    expect(room.processes.identity(identity.pid)).toBeUndefined();
  });

  it("nothing that the worker had inherited had come down to the agent", async () => {
    const inherited = openSync("/dev/null", "r");
    const order = room.program("/bin/ls", ["/proc/self/fd"]);
    await startWorker(
      order,
      Array.from({ length: 40 }, () => inherited),
    );
    await until(() => existsSync(order.exitPath));
    expect(room.read("1.out").trim().split("\n")).toEqual(["0", "1", "2", "3"]);
  });
});

describe("a shim that is killed before its n-th durable operation", () => {
  const killedAt = async (
    step: number,
    test: (room: AttemptRoom, order: Order, launched: Launched) => Promise<void>,
  ): Promise<void> => {
    const args = ["kill", String(step)];
    const room = createAttemptRoom({ file: fixture("faulty-shim.ts"), args });
    try {
      const order = room.agent([]);
      await test(room, order, await room.launcher.launch(order));
    } finally {
      await room.close();
    }
  };

  it.each([
    [1, "create", "withdrawn"],
    [2, "write", "withdrawn"],
    [3, "sync", "withdrawn"],
    [4, "link", "withdrawn"],
    [5, "sync directory", "started"],
    [6, "start agent", "started"],
  ] as const)("%i (%s) never starts its agent; recovery finds it %s", (step, _, found) =>
    killedAt(step, async (room, order, launched) => {
      expect(launched).toMatchObject({ problem: "files", uncertain: found === "started" });
      expect(withdraw(order.processPath, systemClock)).toBe(found);
      expect(existsSync(room.path("witness"))).toBe(false);
    }),
  );

  it.each([
    [7, "create", false],
    [8, "write", false],
    [9, "sync", false],
    [10, "rename", false],
    [11, "sync directory", true],
  ] as const)("%i (%s) loses the exit, and says so; exit.json is there: %s", (step, _, stored) =>
    killedAt(step, async (room, order, launched) => {
      const exit = "exited" in launched ? await launched.exited : launched;
      expect(exit).toEqual({ code: null, signal: null, lost: true });
      expect(existsSync(order.exitPath)).toBe(stored);
      expect(existsSync(room.path("witness"))).toBe(true);
    }),
  );
});

describe("a shim on a full disk", () => {
  const full = async (
    first: number,
    last: number,
    test: (room: AttemptRoom) => Promise<void>,
  ): Promise<void> => {
    const args = ["full", String(first), String(last)];
    const room = createAttemptRoom({ file: fixture("faulty-shim.ts"), args });
    try {
      await test(room);
    } finally {
      await room.close();
    }
  };

  it("starts nothing without a durable process.json", () =>
    full(2, 2, async (room) => {
      const order = room.agent([]);
      expect(await room.launcher.launch(order)).toMatchObject({
        problem: "disk",
        uncertain: false,
      });
      expect(withdraw(order.processPath, systemClock)).toBe("withdrawn");
      expect(existsSync(room.path("witness"))).toBe(false);
    }));

  it("tells the exit at once and stores it when there is room again", () =>
    full(7, 8, async (room) => {
      const order = room.agent([{ exit: 9 }]);
      expect(await (await room.start(order)).exited).toEqual({ code: 9, signal: null });
      await until(() => existsSync(order.exitPath));
      expect(room.json("1.exit.json")).toMatchObject({ code: 9 });
    }));
});
