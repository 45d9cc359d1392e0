import { execFileSync } from "node:child_process";
import { cpSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test, vi } from "vitest";
import { mountReadOnly } from "../crash/harness/read-only.ts";
import { until } from "../crash/harness/wait.ts";
import { createScratch, GOAL, type Scratch } from "./harness/scratch.ts";
import { serve } from "./harness/served.ts";
import { CLAIM, DONE, report } from "./harness/steps.ts";

vi.setConfig({ testTimeout: 180_000 });

const LOOPX = fileURLToPath(new URL("../fixtures/loopx", import.meta.url));

let scratch: Scratch | undefined;
afterEach(async () => {
  await scratch?.close();
  scratch = undefined;
});

interface Item {
  readonly kind: string;
  readonly actions: readonly { path: string | null; body: object | null; primary: boolean }[];
}

test("a limit is raised over HTTP with the action that attention offers, and a loop starts and meets the goal", async () => {
  const loop = (scratch = await createScratch({
    plan: { iterations: { 1: [report()], 2: [DONE, report(), CLAIM] } },
  }));
  expect((await loop.call(["run", "--max-iterations", "1"])).code).toBe(10);
  const server = await serve(loop);
  const { items } = await server.get<{ items: Item[] }>("/attention");
  expect(items).toMatchObject([{ id: `${GOAL}/max_iterations`, blocks: true }]);
  const action = items[0]?.actions.find(({ primary }) => primary);
  const raised = await server.post(action?.path ?? "", action?.body ?? {});
  expect(raised).toMatchObject({ status: 200, body: { started: true, problem: null } });
  await until(
    "the goal to be met",
    () => loop.session().json("state.json")?.["status"] === "goal_met",
  );
  const at = `/sessions/${loop.sessions()[0]}`;
  const diff = await server.get(`${at}/iterations/2/diff?file=goal.txt`);
  expect(diff).toMatchObject({ available: true, text: expect.stringContaining("+done") as string });
  expect(await server.get(`${at}/evaluations/2-1/goal/output`)).toMatchObject({ outcome: "pass" });
  expect(await server.get(`${at}/evaluations/0-1/goal/output`)).toMatchObject({ outcome: "fail" });
  expect(await server.get("/goals/" + GOAL)).toMatchObject({ status: { checks: { pass: 1 } } });
});

test("a resume that can't start says why, and the session stays as it was told to be", async () => {
  const loop = (scratch = await createScratch({ plan: { steps: [report()] } }));
  expect((await loop.call(["run", "--max-iterations", "1"])).code).toBe(10);
  const server = await serve(loop);
  await loop.call(["goal", "disable", GOAL]);
  const raise = [{ limit: "max_iterations", add: 1 }];
  const answer = await server.post(`/goals/${GOAL}/resume`, { raise });
  expect(answer.body).toMatchObject({
    started: false,
    problem: expect.stringContaining("disabled") as string,
  });
});

test("checks are run over HTTP while nobody works at the goal", async () => {
  const loop = (scratch = await createScratch({ plan: { steps: [report()] } }));
  const server = await serve(loop);
  const red = await server.post(`/goals/${GOAL}/check`, {});
  expect(red).toMatchObject({ status: 200, body: { receipt: { outcome: "fail" }, seq: null } });
  loop.write("goal.txt", "done\n");
  const green = await server.post(`/goals/${GOAL}/check`, {});
  expect(green).toMatchObject({ body: { receipt: { outcome: "pass" } } });
  expect((await server.post(`/goals/${GOAL}/check`, { repin: true })).status).toBe(422);
  loop.write(".loopwright/checks/goal.yaml", "id: [");
  expect((await server.post(`/goals/${GOAL}/check`, {})).body).toMatchObject({
    code: "CONFIGURATION_INVALID",
  });
});

test("a LoopX project is served in place, follows its files, and takes no writes", async () => {
  const loop = (scratch = await createScratch());
  const project = loop.file("loopx");
  cpSync(LOOPX, project, { recursive: true });
  const server = await serve(loop, ["--registry", `${project}/.loopx/registry.json`]);
  expect(await server.get("/status")).toMatchObject({
    goals: [{ id: "demo-goal", phase: null, warnings: 1, attention: { severity: "high" } }],
  });
  const goal = await server.get<{ next_action: string; attention: object[] }>("/goals/demo-goal");
  expect(goal.next_action).not.toBe("");
  expect(goal.attention).toContainEqual(expect.objectContaining({ kind: "user_gate" }));
  expect((await server.post("/goals/demo-goal/pause", {})).body).toMatchObject({
    code: "FOREIGN_PROJECT",
  });
  const state = execFileSync("find", [project, "-name", "ACTIVE_GOAL_STATE.md"], {
    encoding: "utf8",
  }).trim();
  execFileSync("sed", ["-i", "s/^## Next Action.*/## Next Action\\n- Look elsewhere/", state]);
  expect(await server.get("/goals/demo-goal")).toMatchObject({ next_action: "Look elsewhere" });
});

const mounted = mountReadOnly("/tmp");
mounted?.remove();
const unless = mounted === undefined ? " (not run: this user may not mount)" : "";

test.skipIf(mounted === undefined)(
  `a runtime root that can only be read is served whole, and every write says that it can't be made${unless}`,
  async () => {
    const loop = (scratch = await createScratch({
      plan: { steps: [DONE, report(), CLAIM] },
    }));
    expect((await loop.call(["run"])).code).toBe(0);
    const view = mountReadOnly(loop.runtimeRoot);
    if (view === undefined) throw new Error("It could be mounted a moment ago.");
    try {
      const server = await serve(loop, ["--runtime-root", view.directory]);
      expect(await server.get("/status")).toMatchObject({
        goals: [{ id: GOAL, status: "goal_met", verified: true }],
      });
      const at = `/sessions/${loop.sessions()[0]}`;
      for (const path of ["", "/iterations", "/checks", "/timeline", "/explain"])
        expect(await server.get(at + path)).toMatchObject({ schema_version: 1 });
      const diff = await server.get(`${at}/iterations/1/diff?file=goal.txt`);
      expect(diff).toMatchObject({ available: true });
      for (const write of ["update", "refresh"]) {
        const answer = await server.post(
          `/goals/${GOAL}/${write}`,
          write === "update" ? { text: "x" } : {},
        );
        expect([write, answer.status, answer.body["code"]]).toEqual([write, 503, "DISK_FAILED"]);
      }
      expect((await server.post("/seen", {})).status).toBe(503);
      expect(server.program.stderr()).toBe("");
    } finally {
      await scratch.close();
      view.remove();
    }
  },
);

test("what was seen is kept for every device, and is where `since` begins", async () => {
  const loop = (scratch = await createScratch({ plan: { steps: [report()] } }));
  expect((await loop.call(["run", "--max-iterations", "1"])).code).toBe(10);
  const server = await serve(loop);
  expect(await server.get("/since")).toMatchObject({ seen: null, goals: [{ iterations: 1 }] });
  const { body } = await server.post("/seen", {});
  expect(await server.get("/since")).toMatchObject({ seen: body["at"], goals: [] });
  const future = await server.post("/seen", { at: "2999-01-01T00:00:00.000Z" });
  expect(String(future.body["at"]) < "2999").toBe(true);
});
