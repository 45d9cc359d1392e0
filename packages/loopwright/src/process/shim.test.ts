import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../seams/clock.ts";
import type { Order } from "./order.ts";
import { type AttemptRoom, createAttemptRoom, until } from "./testing/attempt-room.ts";
import { withdraw } from "./withdraw.ts";

const fixture = (name: string): string => fileURLToPath(new URL(`./testing/${name}`, import.meta.url));

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
    const child = spawn(process.execPath, order === undefined ? args : [...args, JSON.stringify(order)], {
      stdio: ["ignore", "pipe", "inherit", ...files],
    });
    worker = child;
    if (child.stdout) await once(child.stdout, "data");
    return child;
  };

  it("the agent goes on, and its output and its exit are on record", async () => {
    const order = room.agent([{ print: "one " }, { waitForFile: "go" }, { print: "two" }, { exit: 7 }]);
    const child = await startWorker(order);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(existsSync(order.exitPath)).toBe(false);
    room.processes.self();
    openSync(room.path("go"), "w");
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
  });

  it("nothing that the worker had inherited had come down to the agent", async () => {
    const inherited = openSync("/dev/null", "r");
    const order = room.program("/bin/ls", ["/proc/self/fd"]);
    await startWorker(order, Array.from({ length: 40 }, () => inherited));
    await until(() => existsSync(order.exitPath));
    expect(room.read("1.out").trim().split("\n")).toEqual(["0", "1", "2", "3"]);
  });
});

describe("a shim that is killed before its n-th durable operation", () => {
  const OPERATIONS = [
    ...["create", "write", "sync", "link", "sync directory", "start agent"],
    ...["create", "write", "sync", "rename", "sync directory"],
  ];
  const CLAIMED_FROM = 5;
  const STARTED_FROM = 7;
  const TOLD_AT = 11;

  it.each(OPERATIONS.map((name, index) => [index + 1, name] as const))(
    "%i (%s): is never taken for more than it did",
    async (step) => {
      const room = createAttemptRoom({ file: fixture("faulty-shim.ts"), args: [String(step)] });
      try {
        const order = room.agent([]);
        const launched = await room.launcher.launch(order);
        if ("exited" in launched) {
          expect(step).toBeGreaterThanOrEqual(STARTED_FROM);
          expect(await launched.exited).toEqual({ code: null, signal: null, lost: true });
          expect(existsSync(order.exitPath)).toBe(step === TOLD_AT);
          expect(existsSync(room.path("witness"))).toBe(true);
          return;
        }
        expect(step).toBeLessThan(STARTED_FROM);
        expect(launched).toMatchObject({ uncertain: step >= CLAIMED_FROM });
        expect(withdraw(order.processPath, systemClock)).toBe(step >= CLAIMED_FROM ? "started" : "withdrawn");
        expect(existsSync(room.path("witness"))).toBe(false);
      } finally {
        await room.close();
      }
    },
  );
});
