import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { agentStart, ending, record, startCoordinator, startWorker } from "./harness/crew.ts";
import { leaveRoom } from "./harness/diagnosis.ts";
import { startCuttingProxy } from "./harness/cutting-proxy.ts";
import { expectGoodEnd, expectInvariants, sessionOf } from "./harness/ending.ts";
import { readJournal } from "./harness/journal.ts";
import { signalProcess } from "./harness/process-table.ts";
import { createRoom, GOAL, type Room } from "./harness/room.ts";
import { until } from "./harness/wait.ts";

describe("a late writer", { timeout: 300_000 }, () => {
  let room: Room;
  beforeEach(async () => {
    room = await createRoom();
  }, 300_000);
  afterEach(({ task }) => leaveRoom(room, task), 300_000);

  /** What a person does who is sure that the holder is gone: the locks' own error says so. */
  const declareGone = (): void => {
    for (const directory of [
      join(room.runtimeRoot, "goals", GOAL, "locks"),
      join(room.runtimeRoot, "checkouts"),
    ]) {
      const highest = readdirSync(directory)
        .filter((name) => /\.\d+$/.test(name))
        .sort((a, b) => Number(a.split(".").at(-1)) - Number(b.split(".").at(-1)))
        .at(-1);
      writeFileSync(join(directory, `${highest}.released`), "");
    }
  };

  test("a stopped coordinator that wakes after a take-over writes nothing", async () => {
    room.set("hold", true);
    const old = await startCoordinator(room);
    startWorker(room);
    await agentStart(room);
    signalProcess(old, "SIGSTOP");
    declareGone();
    await startCoordinator(room);
    const session = sessionOf(room);
    const before = session.records().length;
    signalProcess(old, "SIGCONT");
    expect(await ending(room, old)).not.toBe(0);
    expect(old.stderr()).toContain("LOCK_LOST");
    expect(session.records()).toHaveLength(before);
    await expectGoodEnd(room);
  });

  test("what a coordinator writes that slept between its last look at the lock and its append counts for nothing", async () => {
    const [reached, go] = [
      join(room.directory, "append.reached"),
      join(room.directory, "append.go"),
    ];
    const old = await startCoordinator(room, {
      faults: [
        {
          match: { name: "writeSync", path: "journal\\.jsonl$", content: '"task_finished"' },
          n: 1,
          what: { kind: "hold", reached, go },
        },
      ],
    });
    startWorker(room);
    await until("the append", () => existsSync(reached));
    declareGone();
    await startCoordinator(room);
    writeFileSync(go, "");
    expect(await ending(room, old)).not.toBe(0);
    const session = sessionOf(room);
    expect(readJournal(session.journal).ignored).toHaveLength(1);
    // The worker repeats its report where it counts.
    expect(
      await until(
        "its record",
        () =>
          readJournal(session.journal)
            .lines.flatMap(({ records }) => records)
            .find(({ type }) => type === "task_finished")?.data,
      ),
    ).toMatchObject({
      iteration: 1,
      outcome: "ok",
    });
    await expectGoodEnd(room);
  });

  test("a stale report changes nothing", async () => {
    await startCoordinator(room);
    startWorker(room);
    const session = sessionOf(room);
    await record(session, "task_finished");
    room.set("hold", true);
    await until(
      "a held agent",
      () =>
        (session.lastTask()?.iteration ?? 0) > 1 &&
        existsSync(join(session.lastTask()?.directory ?? "", "process.json")),
    );
    const live = session.lastTask();
    const path = session.path("iterations/0001_work/result.json");
    const seat = session.records("worker_seated").at(-1)?.data["identity"] as object;
    const report = {
      ...(JSON.parse(readFileSync(path, "utf8")) as object),
      result_sha256: createHash("sha256").update(readFileSync(path)).digest("hex"),
      protocol: 1,
      program_version: session.json("coordinator.json")?.["program_version"],
      worker: seat,
      epoch: session.json("coordinator.json")?.["epoch"],
    };
    const size = statSync(session.journal).size;
    // From the seat: it gets its live task again.
    const own = await post(report);
    expect({ status: own.status, body: await own.json() }).toMatchObject({
      status: 200,
      body: { action: "run", attempt_id: live?.attempt },
    });
    // From anybody else: refused.
    const foreign = await post({ ...report, worker: { ...seat, start_time: "1" } });
    expect({ status: foreign.status, body: await foreign.json() }).toMatchObject({
      status: 409,
      body: { code: "STALE_REPORT" },
    });
    // Of another epoch, session or iteration.
    for (const other of [
      { epoch: 99 },
      { session_id: "20200101T000000Z-0123456789ab" },
      { iteration: 7 },
    ]) {
      expect(
        await (await post({ ...report, attempt_id: live?.attempt, ...other })).json(),
      ).toMatchObject({ action: "run", attempt_id: live?.attempt });
    }
    expect(statSync(session.journal).size).toBe(size);
    await expectGoodEnd(room);
  });

  test("a lost answer heals", async () => {
    await startCoordinator(room);
    const discovery = sessionOf(room).json("coordinator.json") as {
      url: string;
      worker_token: string;
    };
    const proxy = await startCuttingProxy(discovery.url, (n) => n % 2 === 0);
    try {
      const worker = room.start(["worker", "--coordinator", proxy.url], {
        stdin: discovery.worker_token,
      });
      await agentStart(room, 5);
      room.set("finish", true);
      await until("the goal to be met", () => sessionOf(room).records("session_stopped")[0]);
      expect(await ending(room, worker)).toBe(0);
      expect(proxy.cuts()).toBeGreaterThan(2);
      await expectInvariants(room);
    } finally {
      await proxy.close();
    }
  });

  function post(body: object): Promise<Response> {
    const { url, worker_token } = sessionOf(room).json("coordinator.json") as {
      url: string;
      worker_token: string;
    };
    return fetch(`${url}/finished`, {
      method: "POST",
      headers: { authorization: `Bearer ${worker_token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  }
});
