import { execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { WorkflowTask } from "@loopwright/protocol";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readProjection } from "../control-plane/projection/index.ts";
import { readRunIndex } from "../control-plane/run-index/index.ts";
import { runtimeLayout } from "../store/layout.ts";
import { until } from "./testing/processes.ts";
import { createRoom, GOAL, type Room } from "./testing/room.ts";
import { createScriptedWorker } from "./testing/scripted-worker.ts";

let room: Room;
beforeEach(() => {
  room = createRoom();
});
afterEach(() => room.close());

/** What an agent can put where a file of ours has to be. */
const PLANTS: Record<string, (path: string) => void> = {
  "full directories": (path) => void mkdirSync(join(path, "full"), { recursive: true }),
  FIFOs: (path) => void execFileSync("mkfifo", [path]),
  "links to nothing": (path) => symlinkSync("/nonexistent/place", path),
  "100 MB of nothing": (path) => {
    writeFileSync(path, "");
    truncateSync(path, 100 * 1024 * 1024);
  },
};

it.each(Object.keys(PLANTS))("goes on with %s in the places of its files", async (kind) => {
  const layout = runtimeLayout(room.root);
  const goal = layout.goal(GOAL);
  let coordinator = await room.start();
  const session = room.session(coordinator.sessionId);
  const worker = createScriptedWorker(coordinator, room.seams.processes.self(), room.repository);
  const first = (await worker.task()) as WorkflowTask;
  await until(() => readProjection(room.root, GOAL) !== undefined);

  const places = [session.state, session.control, session.report, goal.runs, goal.activeState];
  const plant = (path: string): void => {
    rmSync(path, { recursive: true, force: true });
    mkdirSync(dirname(path), { recursive: true });
    PLANTS[kind]?.(path);
  };
  for (const path of [...places, layout.projection(GOAL)]) plant(path);
  expect((await worker.finish(first)).body).toMatchObject({ action: "run", iteration: 2 });
  const readable = (path: string): boolean => {
    const stats = lstatSync(path);
    return stats.isFile() && stats.size < 1024 * 1024;
  };
  const own = [session.state, session.control, layout.projection(GOAL)];
  await until(() => own.every(readable));

  plant(layout.projections);
  plant(goal.runs);
  await coordinator.close();
  coordinator = await room.start({ kind: "existing", sessionId: coordinator.sessionId });
  await until(() => readProjection(room.root, GOAL) !== undefined);
  expect(lstatSync(layout.projections).isDirectory()).toBe(true);
  expect(readRunIndex(goal.runs).rows).toMatchObject([{ iteration: 1 }]);
});
