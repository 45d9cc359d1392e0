import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createLinuxProcesses } from "./linux.ts";
import { isDead, parseStat } from "./linux-table.ts";
import { MARKER } from "./marker.ts";
import { until } from "./testing/attempt-room.ts";

const processes = createLinuxProcesses();
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

const start = (script: string, env: NodeJS.ProcessEnv = {}): number => {
  const child = spawn("/bin/sh", ["-c", script], {
    stdio: "ignore",
    env: { PATH: "/usr/bin:/bin", ...env },
  });
  children.push(child);
  return child.pid ?? 0;
};

describe("liveness", () => {
  const self = processes.self();

  it("is alive for ourselves", () => {
    expect(processes.liveness(self)).toBe("alive");
    expect(processes.identity(process.pid)).toEqual(self);
  });

  it.each([
    ["dead for our pid with another start time", { start_time: "1" }, "dead"],
    ["dead for another boot of this machine", { boot_id: "earlier" }, "dead"],
    ["unknown for another machine", { host: "elsewhere", boot_id: "other" }, "unknown"],
    ["unknown for another pid namespace", { pid_namespace: "1" }, "unknown"],
    ["alive although the host's name has changed since", { host: "renamed" }, "alive"],
    ["dead for a pid that nobody has", { pid: 2 ** 22 - 1 }, "dead"],
  ] as const)("is %s", (_, change, expected) => {
    expect(processes.liveness({ ...self, ...change })).toBe(expected);
  });

  it("is dead for a zombie", async () => {
    // The shell becomes a program that never collects its child.
    const parent = start("sleep 0 & exec sleep 60");
    await until(() => processes.info(parent)?.command === "sleep 60");
    const zombie = async (): Promise<number> => {
      const { readFileSync } = await import("node:fs");
      return Number(readFileSync(`/proc/${parent}/task/${parent}/children`, "utf8").trim());
    };
    const pid = await zombie();
    await until(() => processes.identity(pid) === undefined);
    process.kill(pid, 0);
    expect(processes.list().some((row) => row.pid === pid)).toBe(false);
  });
});

describe("the process table", () => {
  it("is read right when a name holds spaces and parentheses", () => {
    const row = parseStat(`42 (a) S (b c) S 7 42 40 0 -1 0 0 0 0 0 0 0 0 0 20 0 3 0 9876 0 0\n`);
    expect(row).toEqual({
      pid: 42,
      name: "a) S (b c",
      state: "S",
      parent: 7,
      group: 42,
      session: 40,
      threads: 3,
      start_time: "9876",
    });
  });

  it("takes a process for alive whose first thread has ended before the others", () => {
    const row = {
      pid: 1,
      name: "x",
      state: "Z",
      parent: 0,
      group: 1,
      session: 1,
      threads: 2,
      start_time: "1",
    };
    expect(isDead(row)).toBe(false);
    expect(isDead({ ...row, threads: 1 })).toBe(true);
  });

  it("finds the marked ones by the whole value", async () => {
    const pid = start("exec sleep 60", { [MARKER]: "attempt-1" });
    await until(() => processes.info(pid)?.command === "sleep 60");
    expect(processes.marked("attempt-1").map((row) => row.pid)).toEqual([pid]);
    expect(processes.marked("attempt-")).toEqual([]);
    expect(processes.marked("attempt-11")).toEqual([]);
  });

  it("finds a marker at the end of a large environment", async () => {
    const filler = Object.fromEntries(
      Array.from({ length: 8 }, (_, n) => [`FILLER_${n}`, "x".repeat(100_000)]),
    );
    const pid = start("exec sleep 60", { ...filler, [MARKER]: "attempt-2" });
    await until(() => processes.info(pid)?.command === "sleep 60");
    expect(processes.marked("attempt-2").map((row) => row.pid)).toEqual([pid]);
  });

  it("finds grandchildren and what they listen on", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    expect(processes.listening([process.pid])).toContainEqual({ pid: process.pid, port });
    server.close();
    const parent = start("sleep 61 & wait");
    await until(() => processes.descendants([parent]).some((row) => row.command === "sleep 61"));
    for (const row of processes.descendants([parent])) {
      const identity = processes.identity(row.pid);
      if (identity) processes.signal(identity, "SIGKILL");
    }
  });
});

describe("a signal", () => {
  it("is never sent to ourselves, our group, or a number that was used again", async () => {
    expect(processes.signal(processes.self(), "SIGKILL")).toBe(false);
    const pid = start("exec sleep 60");
    const identity = processes.identity(pid);
    if (identity === undefined) throw new Error("not started");
    expect(processes.signal({ ...identity, start_time: "1" }, "SIGKILL")).toBe(false);
    expect(processes.signalGroup(identity, "SIGKILL")).toBe(false);
    expect(processes.signal(identity, "SIGKILL")).toBe(true);
    await until(() => processes.liveness(identity) === "dead");
    expect(processes.signal(identity, "SIGKILL")).toBe(false);
  });
});
