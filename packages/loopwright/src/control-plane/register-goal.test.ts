import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createProcesses } from "../process/processes.ts";
import { systemClock } from "../seams/clock.ts";
import { systemDisk } from "../store/disk.ts";
import { registerGoal } from "./register-goal.ts";
import { loadRegistry } from "./registry.ts";

const seams = { disk: systemDisk, clock: systemClock, processes: createProcesses() };
const directory = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-register-")));
afterAll(() => rmSync(directory, { recursive: true }));
const runtimeRoot = join(directory, "runtime");

function place(name: string): string {
  mkdirSync(join(directory, name, ".loopwright"), { recursive: true });
  return join(directory, name, ".loopwright", "registry.json");
}

function register(registryPath: string, id: string) {
  return registerGoal(seams, {
    registryPath,
    runtimeRoot,
    home: directory,
    objective: "x",
    goal: { id, title: "", repo: "/r", config: "loopwright.yaml" },
  });
}

test("goals registered at the same moment are all there", async () => {
  const registryPath = place("many");
  const ids = Array.from({ length: 20 }, (_, k) => `goal-${k}`);
  await Promise.all(ids.map((id) => register(registryPath, id)));
  expect(
    loadRegistry(registryPath)
      .goals.map(({ id }) => id)
      .sort(),
  ).toEqual(ids.sort());
});

test("registering again changes nothing and says so", async () => {
  const registryPath = place("again");
  expect((await register(registryPath, "again")).created).toHaveLength(3);
  const before = readFileSync(registryPath, "utf8");
  expect((await register(registryPath, "again")).created).toEqual([]);
  expect(readFileSync(registryPath, "utf8")).toBe(before);
});

test("an id that another registry has in the same runtime root is refused, naming both", async () => {
  const [one, other] = [place("one"), place("other")];
  await register(one, "shared");
  const refused = register(other, "shared");
  await expect(refused).rejects.toMatchObject({
    code: "GOAL_ID_TAKEN",
    message: expect.stringContaining(one),
  });
  await expect(refused).rejects.toMatchObject({ message: expect.stringContaining(other) });
  expect(loadRegistry(other).goals).toEqual([]);
});

test("fields of others survive, and a registry that can't be read is not replaced", async () => {
  const registryPath = place("foreign");
  writeFileSync(
    registryPath,
    JSON.stringify({ goals: [{ id: "a", repo: "/a", owner: "me" }], team: "x" }),
  );
  await register(registryPath, "b");
  expect(JSON.parse(readFileSync(registryPath, "utf8"))).toMatchObject({
    team: "x",
    goals: [{ owner: "me" }, { id: "b" }],
  });
  writeFileSync(registryPath, "{ broken");
  await expect(register(registryPath, "c")).rejects.toMatchObject({ code: "REGISTRY_INVALID" });
  expect(readFileSync(registryPath, "utf8")).toBe("{ broken");
});
