import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../seams/clock.ts";
import { type AttemptRoom, createAttemptRoom, until } from "./testing/attempt-room.ts";
import { withdraw } from "./withdraw.ts";

let room: AttemptRoom;
beforeEach(() => {
  room = createAttemptRoom();
});
afterEach(() => room.close());

describe("what an agent gets", () => {
  it("is exactly the ordered environment and the marker", async () => {
    const order = room.program("/usr/bin/env", ["-0"], { env: { A: "1", B: "two\nlines" } });
    await (
      await room.start(order)
    ).exited;
    const entries = room.read("1.out").split("\0").filter(Boolean).sort();
    expect(entries).toEqual(["A=1", "B=two\nlines", `LOOPWRIGHT_ATTEMPT=${order.attemptId}`]);
  });

  it("is the prompt file as stdin, to its end", async () => {
    writeFileSync(room.path("prompt.md"), "x".repeat(300_000));
    const order = room.program("/usr/bin/wc", ["-c"], { stdinPath: room.path("prompt.md") });
    await (
      await room.start(order)
    ).exited;
    expect(room.read("1.out").trim()).toBe("300000");
  });

  it("is an empty stdin if there is no prompt file", async () => {
    await (
      await room.start(room.agent([{ readStdin: true }, { print: "[{{stdin}}]" }]))
    ).exited;
    expect(room.read("1.out")).toBe("[]");
  });

  it("has no terminal", async () => {
    await (
      await room.start(room.agent([{ openTty: true }]))
    ).exited;
    expect(room.read("1.out")).toBe("tty: ENXIO\n");
  });

  it("is the group and session of its shim", async () => {
    const attempt = await room.start(room.agent([{ sleep: 60_000 }]));
    const info = room.processes.info(attempt.agentPid);
    expect(info).toMatchObject({
      group: attempt.shim.pid,
      session: attempt.shim.pid,
      parent: attempt.shim.pid,
    });
  });

  it("is a pipe for dialogues when asked for", async () => {
    const attempt = await room.start(room.agent([{ echoLines: true }], { stdinPipe: true }));
    attempt.stdin?.write("one\n");
    await until(() => room.read("1.out") === "echo one\n");
    attempt.stdin?.end("two\n");
    expect(await attempt.exited).toEqual({ code: 0, signal: null });
    expect(room.read("1.out")).toBe("echo one\necho two\n");
  });
});

describe("the records of an attempt", () => {
  it("name the shim before the agent's first instruction", async () => {
    const order = room.agent([{ run: ["cat", "1.process.json"] }]);
    const attempt = await room.start(order);
    await attempt.exited;
    expect(JSON.parse(room.read("1.out"))).toMatchObject({
      ...attempt.shim,
      schema_version: 1,
      attempt_id: order.attemptId,
      group: attempt.shim.pid,
      adapter: "command",
    });
    expect(statSync(order.processPath).mode & 0o777).toBe(0o600);
    expect(statSync(order.stdoutPath).mode & 0o777).toBe(0o600);
  });

  it("tell an exit with 137 from a death by SIGKILL", async () => {
    const exited = await room.start(room.agent([{ exit: 137 }]));
    const killed = await room.start(room.agent([{ killSelf: "SIGKILL" }]));
    expect(await exited.exited).toEqual({ code: 137, signal: null });
    expect(await killed.exited).toEqual({ code: null, signal: "SIGKILL" });
    expect(room.json("1.exit.json")).toMatchObject({ code: 137, signal: null });
    expect(room.json("2.exit.json")).toMatchObject({ code: null, signal: "SIGKILL" });
  });

  it("leave no temporary files behind", async () => {
    await (
      await room.start(room.agent([]))
    ).exited;
    expect(readdirSync(room.directory).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("are written although the group got every ordinary signal", async () => {
    const attempt = await room.start(
      room.agent([
        { ignoreSignal: ["SIGINT", "SIGHUP", "SIGUSR1"] },
        { write: "ready" },
        { sleep: 60_000 },
      ]),
    );
    await until(() => existsSync(room.path("ready")));
    for (const signal of ["SIGINT", "SIGHUP", "SIGUSR1", "SIGTERM"] as const) {
      expect(room.processes.signalGroup(attempt.shim, signal)).toBe(true);
    }
    expect(await attempt.exited).toEqual({ code: null, signal: "SIGTERM" });
    expect(room.json("1.exit.json")).toMatchObject({ signal: "SIGTERM" });
  });
});

describe("a program that can't be started", () => {
  const failing = async (order: Parameters<AttemptRoom["start"]>[0]): Promise<unknown> => {
    const launched = await room.launcher.launch(order);
    expect(JSON.parse(readFileSync(order.exitPath, "utf8"))).toMatchObject({
      code: null,
      signal: null,
    });
    return launched;
  };

  it("is named when it doesn't exist, also in exit.json", async () => {
    const reason = 'The program "no-such-agent" could not be started: it was not found (ENOENT).';
    const launched = await failing(room.program("no-such-agent", []));
    expect(launched).toEqual({ failed: reason, problem: "program", uncertain: false });
    expect(room.json("1.exit.json")).toMatchObject({ error: reason, problem: "program" });
  });

  it("is named when it isn't executable", async () => {
    writeFileSync(room.path("agent.sh"), "#!/bin/sh\n");
    chmodSync(room.path("agent.sh"), 0o644);
    const launched = await failing(room.program(room.path("agent.sh"), []));
    expect(launched).toMatchObject({
      failed: expect.stringContaining("EACCES"),
      problem: "program",
    });
  });

  it("is named when its arguments are too long", async () => {
    const launched = await failing(room.program("/bin/true", ["x".repeat(200_000)]));
    expect(launched).toMatchObject({
      failed: expect.stringContaining("E2BIG"),
      problem: "program",
    });
  });

  it("is told apart from a working directory that is gone", async () => {
    const launched = await failing(room.program("/bin/true", [], { cwd: room.path("gone") }));
    expect(launched).toMatchObject({ problem: "workspace" });
  });

  it("never follows or overwrites what stands where its output goes", async () => {
    const order = room.program("/bin/echo", ["x"]);
    symlinkSync(room.path("precious"), order.stdoutPath);
    expect(await failing(order)).toMatchObject({ problem: "files" });
    expect(existsSync(room.path("precious"))).toBe(false);
  });
});

describe("the race for process.json", () => {
  it("is lost by a shim that comes after recovery: nothing is started", async () => {
    const order = room.agent([]);
    expect(withdraw(order.processPath, systemClock)).toBe("withdrawn");
    expect(await room.launcher.launch(order)).toEqual({ withdrawn: true });
    expect(existsSync(room.path("witness"))).toBe(false);
    expect(withdraw(order.processPath, systemClock)).toBe("withdrawn");
  });

  it("is lost by a recovery that comes after the shim", async () => {
    const order = room.agent([]);
    await room.start(order);
    expect(withdraw(order.processPath, systemClock)).toBe("started");
  });

  it("has one winner when both come at once", async () => {
    const orders = Array.from({ length: 8 }, () => room.program("/bin/true", []));
    const answers = await Promise.all(
      orders.map(async (order) => {
        const launched = room.launcher.launch(order);
        await systemClock.sleep(Math.random() * 600);
        return [withdraw(order.processPath, systemClock), await launched] as const;
      }),
    );
    for (const [side, launched] of answers) {
      expect("withdrawn" in launched).toBe(side === "withdrawn");
    }
  });
});

describe("output", () => {
  it("of 200 MB goes straight to the file, in bounded memory", async () => {
    const attempt = await room.start(
      room.agent([{ flood: 200 }, { write: "done" }, { sleep: 60_000 }]),
    );
    await until(() => existsSync(room.path("done")));
    const status = readFileSync(`/proc/${attempt.shim.pid}/status`, "utf8");
    expect(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1])).toBeLessThan(150_000);
    expect(statSync(room.path("1.out")).size).toBe(200 * 2 ** 20);
  });

  it("that a background child holds open doesn't delay the end", async () => {
    const spawn = { setsid: true, keepStdout: true, pidFile: "child" };
    const attempt = await room.start(room.agent([{ spawn }, { print: "bye" }]));
    expect(await attempt.exited).toEqual({ code: 0, signal: null });
    expect(room.processes.identity(await room.pid("child"))).toBeDefined();
  });
});

it("starts several attempts at once, each with its own shim", async () => {
  const attempts = await Promise.all(
    [1, 2, 3].map((code) => room.start(room.program("/bin/sh", ["-c", `exit ${code}`]))),
  );
  const exits = await Promise.all(attempts.map((attempt) => attempt.exited));
  expect(exits.map((exit) => exit.code)).toEqual([1, 2, 3]);
  expect(new Set(attempts.map((attempt) => attempt.shim.pid)).size).toBe(3);
});

describe("the spare shim", () => {
  const shims = (): number[] =>
    room.processes
      .descendants([process.pid])
      .filter((row) => row.command.includes("shim.ts"))
      .map((row) => row.pid);

  const prepared = async (): Promise<number> => {
    await until(() => shims().length === 0);
    room.launcher.prepare();
    await until(() => shims().length === 1);
    return shims()[0] ?? 0;
  };

  it("takes the next order", async () => {
    const spare = await prepared();
    expect((await room.start(room.program("/bin/true", []))).shim.pid).toBe(spare);
  });

  it("is replaced if it has died", async () => {
    process.kill(await prepared(), "SIGKILL");
    const attempt = await room.start(room.program("/bin/sh", ["-c", "exit 4"]));
    expect(await attempt.exited).toEqual({ code: 4, signal: null });
  });

  it("goes when the launcher is closed", async () => {
    await prepared();
    room.launcher.close();
    await until(() => shims().length === 0);
    expect(shims()).toEqual([]);
  });
});
