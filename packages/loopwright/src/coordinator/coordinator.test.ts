import { existsSync, readFileSync } from "node:fs";
import type { WorkflowTask } from "@loopwright/protocol";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readSession } from "../control-plane/session/read-session.ts";
import { createRoom, type Room } from "./testing/room.ts";
import { claimOf, createScriptedWorker } from "./testing/scripted-worker.ts";

let room: Room;
beforeEach(() => {
  room = createRoom();
});
afterEach(() => room.close());

const self = () => room.seams.processes.self();

it("runs iterations until a claim ends the session, and tells its worker", async () => {
  const coordinator = await room.start();
  const worker = createScriptedWorker(coordinator, self(), room.repository);
  const first = (await worker.task()) as WorkflowTask;
  expect(first).toMatchObject({
    action: "run",
    kind: "workflow",
    iteration: 1,
    workflow_id: "work",
    adopt: false,
    goal: "Make it work.\n",
  });
  const second = (await worker.finish(first)).body as WorkflowTask;
  expect(second).toMatchObject({ iteration: 2 });
  const last = await worker.finish(second, { control: claimOf(second) });
  expect(last.body).toMatchObject({ action: "stop", status: "goal_met", stop_reason: "goal_met" });
  expect(await coordinator.ended).toEqual({ status: "goal_met", stop_reason: "goal_met" });

  const layout = room.session(coordinator.sessionId);
  const report = readFileSync(layout.report, "utf8");
  expect(report).toContain("goal_met");
  expect(report).toContain("Iteration 2 did its part.");
  const { state } = readSession(layout.directory);
  expect(state).toMatchObject({ status: "goal_met", verified: false, iterations: 2 });
  expect(JSON.parse(readFileSync(layout.state, "utf8"))).toMatchObject({
    status: "goal_met",
    seq: state.seq,
  });
  expect(JSON.parse(readFileSync(layout.control, "utf8"))).toMatchObject({
    state: "stopped",
    stop_reason: "goal_met",
  });
  expect(existsSync(layout.coordinator)).toBe(true);
});
