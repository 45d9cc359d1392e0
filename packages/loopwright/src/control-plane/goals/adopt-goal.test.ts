import { cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemIds } from "../../seams/ids.ts";
import { createProcesses } from "../../process/processes.ts";
import { systemClock } from "../../seams/clock.ts";
import { systemDisk } from "../../store/disk.ts";
import { runtimeLayout } from "../../store/layout.ts";
import { temporaryDirectory } from "../../store/testing/temporary-directory.ts";
import { setActivation } from "../goal-activation.ts";
import { registerGoal } from "../register-goal.ts";
import { loadRegistry } from "../registry.ts";
import { adoptGoal } from "./adopt-goal.ts";

const seams = {
  disk: systemDisk,
  clock: systemClock,
  ids: systemIds,
  processes: createProcesses(),
};

async function projectIn(directory: string) {
  const repo = join(directory, "repo");
  mkdirSync(join(repo, ".loopwright"), { recursive: true });
  await registerGoal(seams, {
    registryPath: join(repo, ".loopwright", "registry.json"),
    runtimeRoot: join(directory, "runtime"),
    home: directory,
    objective: "x",
    goal: { id: "shop", title: "", repo, config: "loopwright.yaml" },
  });
  return { repo, goal: runtimeLayout(join(directory, "runtime")).goal("shop") };
}

const adoption = (directory: string, repo: string, goalId = "shop") => ({
  registryPath: join(repo, ".loopwright", "registry.json"),
  home: directory,
  goalId,
  repo,
});

test("a moved repository takes its goal along; what is recorded of it stays", async () => {
  const directory = temporaryDirectory();
  const { repo, goal } = await projectIn(directory);
  await setActivation(seams, goal, "shop", { state: "disabled", reason: "moving" });
  const moved = join(directory, "moved");
  renameSync(repo, moved);
  for (let again = 0; again < 2; again += 1) await adoptGoal(seams, adoption(directory, moved));
  expect(JSON.parse(readFileSync(goal.goalJson, "utf8"))).toMatchObject({
    registry: join(moved, ".loopwright", "registry.json"),
    repo: moved,
    activation: { state: "disabled", reason: "moving" },
  });
  const { goals } = loadRegistry(adoption(directory, moved).registryPath);
  expect(goals.map(({ id, repo: where }) => [id, where])).toEqual([["shop", moved]]);
});

test("a copy can't take the goal from a registry that still lists it; both are named", async () => {
  const directory = temporaryDirectory();
  const { repo, goal } = await projectIn(directory);
  const copy = join(directory, "copy");
  cpSync(repo, copy, { recursive: true });
  const before = readFileSync(goal.goalJson, "utf8");
  const refused = adoptGoal(seams, adoption(directory, copy));
  await expect(refused).rejects.toMatchObject({
    code: "GOAL_ID_TAKEN",
    message: expect.stringMatching(/repo\/.loopwright.*copy\/.loopwright/),
  });
  expect(readFileSync(goal.goalJson, "utf8")).toBe(before);
});

test("a registry that was lost is made again from the goal's record; a mistyped id makes nothing", async () => {
  const directory = temporaryDirectory();
  const { repo } = await projectIn(directory);
  const clone = join(directory, "clone");
  mkdirSync(join(clone, ".loopwright"), { recursive: true });
  renameSync(repo, join(directory, "gone"));
  const text = JSON.stringify({ common_runtime_root: join(directory, "runtime"), goals: [] });
  writeFileSync(adoption(directory, clone).registryPath, text);
  await expect(adoptGoal(seams, adoption(directory, clone, "shpo"))).rejects.toMatchObject({
    code: "GOAL_NOT_FOUND",
  });
  expect(readFileSync(adoption(directory, clone).registryPath, "utf8")).toBe(text);
  await adoptGoal(seams, adoption(directory, clone));
  expect(loadRegistry(adoption(directory, clone).registryPath).goals).toMatchObject([
    { id: "shop", repo: clone },
  ]);
});
