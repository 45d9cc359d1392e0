import { existsSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ProcessRecord } from "@loopwright/protocol";
import { systemClock } from "../seams/clock.ts";
import { type AdoptionSeams, awaitExit, inspectAttempt } from "./adopt.ts";
import { readProcessFile } from "./attempt-files.ts";
import type { Order } from "./order.ts";
import { type AttemptRoom, createAttemptRoom, until } from "./testing/attempt-room.ts";

let room: AttemptRoom;
beforeEach(() => {
  room = createAttemptRoom();
});
afterEach(() => room.close());

const adoption = (order: Order): AdoptionSeams => ({
  processes: room.processes,
  record: readProcessFile(order.processPath) as ProcessRecord,
  exitPath: order.exitPath,
});

describe("an attempt that somebody else started", () => {
  it("runs while its shim lives, and is waited for", async () => {
    const order = room.agent([{ waitForFile: "go" }, { exit: 6 }]);
    const attempt = await room.start(order);
    const seams = adoption(order);
    expect(inspectAttempt(seams)).toMatchObject({ state: "running", supervised: true });
    const waiting = awaitExit({ ...seams, clock: systemClock });
    writeFileSync(room.path("go"), "");
    expect(await waiting).toMatchObject({ state: "exited", exit: { code: 6, signal: null } });
    await attempt.exited;
  });

  it("runs without its shim while the agent lives, and is gone after it", async () => {
    const order = room.agent([{ write: "ready" }, { sleep: 60_000 }]);
    const attempt = await room.start(order);
    await until(() => existsSync(room.path("ready")));
    room.processes.signal(attempt.shim, "SIGKILL");
    await until(() => room.processes.liveness(attempt.shim) === "dead");
    const seams = adoption(order);
    expect(inspectAttempt(seams)).toEqual({
      state: "running",
      supervised: false,
      pids: [attempt.agentPid],
    });
    const waiting = awaitExit({ ...seams, clock: systemClock });
    process.kill(attempt.agentPid, "SIGKILL");
    // While it dies it still stands in the table, already without its marker.
    expect(["gone", "unknown"]).toContain((await waiting).state);
    await until(() => inspectAttempt(seams).state === "gone");
  });

  it("goes on when the waiting is aborted", async () => {
    const order = room.agent([{ sleep: 60_000 }]);
    await room.start(order);
    const signal = AbortSignal.abort();
    expect(await awaitExit({ ...adoption(order), clock: systemClock, signal })).toMatchObject({
      state: "running",
    });
  });

  it("is unknown, never gone, when it was started on another machine", async () => {
    const order = room.agent([{ sleep: 60_000 }]);
    await room.start(order);
    const seams = adoption(order);
    const record = { ...seams.record, host: "elsewhere", boot_id: "other" };
    expect(inspectAttempt({ ...seams, record })).toEqual({ state: "unknown" });
  });

  it("is gone when this machine has started again since", async () => {
    const order = room.agent([{ sleep: 60_000 }]);
    await room.start(order);
    const seams = adoption(order);
    const record = { ...seams.record, boot_id: "earlier", attempt_id: "0".repeat(26) };
    expect(inspectAttempt({ ...seams, record })).toEqual({ state: "gone" });
  });

  it("is refused when its file isn't what a shim writes", () => {
    writeFileSync(room.path("process.json"), "{}");
    expect(() => readProcessFile(room.path("process.json"))).toThrow(
      "is not what the attempt's supervisor writes",
    );
  });
});
