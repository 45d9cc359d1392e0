import { join } from "node:path";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { Receipt, VerificationTask, WorkflowTask } from "@loopwright/protocol";
import { afterEach, beforeEach, expect, it } from "vitest";
import { sessionLayout } from "../store/session-layout.ts";
import type { Coordinator } from "./coordinator.ts";
import { receiptSummary, reusableReceipts } from "./receipts.ts";
import { checkOf } from "./testing/checks.ts";
import { createRoom, type Room } from "./testing/room.ts";
import {
  claimOf,
  createScriptedWorker,
  leave,
  receiptOf,
  type ScriptedWorker,
} from "./testing/scripted-worker.ts";

let room: Room;
let coordinator: Coordinator;
let worker: ScriptedWorker;
beforeEach(async () => {
  room = createRoom();
  coordinator = await room.start({ checks: [checkOf("tests"), checkOf("lint")] });
  worker = createScriptedWorker(coordinator, room.seams.processes.self(), room.repository);
});
afterEach(() => room.close());

/** The baseline is red in `tests`, and the first iteration claims. */
async function claimed(): Promise<VerificationTask> {
  const baseline = (await worker.task()) as VerificationTask;
  expect(baseline).toMatchObject({ kind: "baseline", verification: "baseline", reuse: [] });
  expect(baseline.pins.checks.map(({ id }) => id)).toEqual(["tests", "lint"]);
  leave(baseline, { "receipt.json": receiptOf(baseline, { tests: "fail" }) });
  const first = (await worker.verify(baseline, { tests: "fail" })).body as WorkflowTask;
  expect(first).toMatchObject({ kind: "workflow", iteration: 1 });
  return (await worker.finish(first, { control: claimOf(first) })).body as VerificationTask;
}

it("lets a goal count as met only after the claim's verification passed", async () => {
  const verification = await claimed();
  expect(verification).toMatchObject({
    kind: "verification",
    verification: "claim",
    task_dir: expect.stringMatching(/evaluations\/0001-1$/),
  });
  expect(coordinator.state()).toMatchObject({ status: "running", claim: { iteration: 1 } });
  const last = await worker.verify(verification, {}, "e".repeat(40));
  expect(last.body).toMatchObject({ action: "stop", status: "goal_met" });
  expect(coordinator.state()).toMatchObject({ verified: true, iterations: 1 });
});

it("refuses a claim whose checks fail, and the next prompt shows which", async () => {
  const verification = await claimed();
  const next = (await worker.verify(verification, { tests: "fail" }, "e".repeat(40)))
    .body as WorkflowTask;
  expect(next).toMatchObject({ kind: "workflow", iteration: 2 });
  expect(next.diagnosis).toMatchObject([{ kind: "claim_refused" }]);
  expect(next.diagnosis[0]?.text).toContain("tests");
  expect(next.diagnosis[0]?.text).not.toContain("lint");
  // Asked for again, it is the same task.
  expect(await worker.task()).toEqual(next);
});

it("offers no receipt from before the agent, and else only those that the journal vouches for", async () => {
  const { reuse, session_dir } = await claimed();
  expect(reuse).toEqual([]);
  const state = coordinator.state();
  const path = join(session_dir, "evaluations", "0000-1", "receipt.json");
  const receipt = JSON.parse(readFileSync(path, "utf8")) as Receipt;
  const vouched = {
    ...state,
    gate: {
      ...state.gate,
      receipts: [{ directory: "evaluations/0000-1", receipt: receiptSummary(receipt) }],
    },
  };
  const layout = sessionLayout(session_dir);
  expect(reusableReceipts(layout, vouched)).toMatchObject([{ receipt: { outcome: "fail" } }]);
  writeFileSync(path, JSON.stringify({ ...receipt, outcome: "pass", checks: [] }));
  expect(reusableReceipts(layout, vouched)).toEqual([]);
});

it("takes a receipt that leaves a check out, or runs another one, for none", async () => {
  const verification = await claimed();
  const receipt = receiptOf(verification, {});
  const envelope = {
    protocol: 1,
    program_version: "0.1.0",
    worker: worker.identity,
    epoch: verification.epoch,
    session_id: verification.session_id,
    attempt_id: verification.attempt_id,
  };
  const flawed = { ...receipt, checks: receipt.checks.slice(1) };
  const held = worker.post("/finished", { ...envelope, receipt: flawed });
  const repeated = (await held).body as VerificationTask;
  expect(repeated).toMatchObject({
    kind: "verification",
    task_dir: expect.stringMatching(/0001-2$/),
  });
  const other = {
    ...receiptOf(repeated, {}),
    checks: receipt.checks.map((check) => ({ ...check, sha256: "0".repeat(64) })),
  };
  await worker.post("/finished", { ...envelope, attempt_id: repeated.attempt_id, receipt: other });
  expect(coordinator.state()).toMatchObject({
    gate: { errors_in_row: 2 },
    claim: { iteration: 1 },
  });
  expect(coordinator.state().status).toBe("running");
}, 20_000);

it("waits longer before each repetition of a verification that errors, and then stops with the claim kept", async () => {
  const first = await claimed();
  const start = performance.now();
  const second = (await worker.verify(first, { tests: "error" })).body as VerificationTask;
  expect(performance.now() - start).toBeGreaterThan(900);
  const third = (await worker.verify(second, { tests: "error" })).body as VerificationTask;
  expect(performance.now() - start).toBeGreaterThan(5_900);
  expect((await worker.verify(third, { tests: "error" })).body).toMatchObject({
    action: "stop",
    stop_reason: "gate_error",
  });
  expect(coordinator.state().claim).toMatchObject({ iteration: 1 });
}, 20_000);

it("stops a session whose checks are green from the start", async () => {
  const baseline = (await worker.task()) as VerificationTask;
  expect((await worker.verify(baseline, {})).body).toMatchObject({
    action: "stop",
    stop_reason: "baseline_green",
  });
});

it("keeps a claim whose verification was stopped, and verifies it first when the session goes on", async () => {
  const verification = await claimed();
  leave(verification, {});
  const { peopleToken: token } = coordinator;
  await worker.post("/goals/demo/stop", { mode: "now" }, { token });
  expect(existsSync(join(verification.task_dir, "cancel.json"))).toBe(true);
  const { session_id, attempt_id, epoch } = verification;
  const envelope = { protocol: 1, program_version: "0.1.0", worker: worker.identity, epoch };
  const report = {
    ...envelope,
    session_id,
    attempt_id,
    receipt: null,
    problem: "It was cancelled.",
  };
  expect((await worker.post("/finished", report)).body).toMatchObject({ stop_reason: "user_stop" });
  await coordinator.close();
  const reopen = { by: "ann", raise: [] };
  coordinator = await room.start({ kind: "existing", sessionId: session_id, reopen });
  expect(coordinator.state().claim).toMatchObject({ iteration: 1 });
  worker = createScriptedWorker(coordinator, worker.identity, room.repository);
  expect(await worker.task()).toMatchObject({ kind: "verification", verification: "claim" });
});
