import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Receipt } from "@loopwright/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createGateRoom, type GateRoom } from "./testing/gate-room.ts";

let room: GateRoom;
beforeEach(() => {
  room = createGateRoom();
  room.check("answer", "id: answer\ntype: command\nrun: exit 1\n");
  room.scratch.commit();
});
afterEach(() => room.close());

describe("an earlier receipt", () => {
  it("stands for the same tree and checks, and is not run again", async () => {
    room.check("count", "id: count\ntype: command\nrun: echo x >> ../runs\n");
    const pins = room.pin();
    const first = await room.receipt(pins);
    const reuse = [{ directory: "evaluations/0001-1", receipt: first }];
    const second = await room.receipt(pins, { reuse });
    expect(second).toMatchObject({ outcome: "fail", reused: "evaluations/0001-1" });
    expect(second.attempt_id).not.toBe(first.attempt_id);
    expect(readFileSync(join(room.scratch.room, "runs"), "utf8")).toBe("x\n");
    const third = await room.receipt(pins, {
      reuse: [{ directory: "evaluations/0001-2", receipt: second }],
    });
    expect(third.reused).toBe("evaluations/0001-1");
  });

  it("doesn't stand for another tree, other checks, or when it was an error", async () => {
    const pins = room.pin();
    const first = await room.receipt(pins);
    const directory = "evaluations/0001-1";
    const again = async (receipt: Receipt): Promise<string | null> =>
      (await room.receipt(pins, { reuse: [{ directory, receipt }] })).reused;
    expect(await again({ ...first, outcome: "error" })).toBeNull();
    expect(
      await again({
        ...first,
        checks: first.checks.map((check) => ({ ...check, sha256: "0".repeat(64) })),
      }),
    ).toBeNull();
    expect(await again({ ...first, checks: [] })).toBeNull();
    room.scratch.write("other", "x\n");
    expect(await again(first)).toBeNull();
  });
});
