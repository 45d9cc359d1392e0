import { describe, expect, it } from "vitest";
import { changesAt, receiptOf, treeOf } from "../testing/fixtures.ts";
import { gated, type GatedSession, red, types } from "../testing/gated-session.ts";

describe("an advisory verification", () => {
  it("follows each implementing iteration where the gate asks for it, and ends nothing", () => {
    const session = red(gated({ run: "implementing" }));
    expect(session.finish()).toEqual(["task_finished", "task_assigned"]);
    expect(session.finish()).toEqual(["task_finished", "verification_started"]);
    expect(session.task).toMatchObject({
      verification: "advisory",
      directory: "evaluations/0002-1",
    });
    expect(session.verify({})).toEqual(["verification_finished", "task_assigned"]);
    expect(session.current.status).toBe("running");
  });

  it("that errors isn't repeated and is no gate error", () => {
    const session = red(gated({ run: "implementing" }));
    session.finish();
    session.finish();
    expect(session.verify({ test: "error" })).toEqual(["verification_finished", "task_assigned"]);
    expect(session.current.gate.errors_in_row).toBe(0);
  });
});

describe("a manual verification", () => {
  it("is journaled in one line while a task is live, and touches neither task nor claim", () => {
    const session = red();
    const { task } = session;
    const records = session.feed({
      kind: "manual",
      manual: {
        attempt_id: "2".repeat(26),
        receipt: receiptOf(session.current.rules, treeOf(5)),
        live_ms: 4,
        cost_usd: null,
      },
    });
    expect(types(records)).toEqual(["verification_started", "verification_finished"]);
    expect(session.current).toMatchObject({
      task,
      status: "running",
      passing: ["lint", "test"],
      gate: { last: { kind: "manual", directory: "evaluations/0000-2" } },
    });
  });
});

describe("receipts", () => {
  it("are kept for reuse without errors, the newest first, sixteen at most", () => {
    const session = red();
    for (let tree = 1; tree <= 20; tree++)
      session.feed({
        kind: "manual",
        manual: {
          attempt_id: "2".repeat(26),
          receipt: receiptOf(session.current.rules, treeOf(tree), {
            test: tree === 20 ? "error" : "fail",
          }),
          live_ms: 0,
          cost_usd: null,
        },
      });
    expect(session.current.gate.receipts).toHaveLength(16);
    expect(session.current.gate.receipts[0]?.receipt.tree_digest).toBe(treeOf(19));
    expect(changesAt(null).tree_digest).toBeNull();
  });

  it.each<[string, (session: GatedSession) => void]>([
    ["an agent was assigned since", (session) => session.finish()],
    [
      "a person resumed since",
      (session) => {
        session.feed({ kind: "pause", pause: { reason: "user", detail: "", by: "user" } });
        session.feed({ kind: "resume", by: "user", raise: [], reopen: false });
      },
    ],
  ])("stand for nothing once %s", (_, happens) => {
    const session = red();
    session.feed({
      kind: "manual",
      manual: {
        attempt_id: "2".repeat(26),
        receipt: receiptOf(session.current.rules, treeOf(1), { test: "fail" }),
        live_ms: 0,
        cost_usd: null,
      },
    });
    expect(session.current.gate.receipts).toHaveLength(1);
    happens(session);
    expect(session.current.gate.receipts).toEqual([]);
  });
});
