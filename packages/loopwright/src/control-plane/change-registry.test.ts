import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createProcesses } from "../process/processes.ts";
import { systemClock } from "../seams/clock.ts";
import { systemDisk } from "../store/disk.ts";
import { temporaryDirectory } from "../store/testing/temporary-directory.ts";
import { changeRegistry } from "./change-registry.ts";
import { loadRegistry } from "./registry.ts";

const seams = { disk: systemDisk, clock: systemClock, processes: createProcesses() };

test("8 processes that change 50 goals each lose none of 400 changes, nor a field of somebody else", async () => {
  const path = join(temporaryDirectory(), "registry.json");
  const goals = Array.from({ length: 400 }, (_, k) => ({ id: `goal-${k}`, repo: "/r", owner: k }));
  writeFileSync(path, JSON.stringify({ goals, team: "x" }));
  const program = fileURLToPath(new URL("testing/registry-process.ts", import.meta.url));
  const codes = Array.from({ length: 8 }, async (_, k) => {
    const words = ["--conditions=loopwright-source", program, path, String(k * 50), "50"];
    const child = spawn(process.execPath, words, { stdio: ["ignore", "inherit", "inherit"] });
    return (await once(child, "exit"))[0] as number | null;
  });
  expect(await Promise.all(codes)).toEqual(Array.from({ length: 8 }, () => 0));
  const registry = loadRegistry(path);
  expect(registry).toMatchObject({ team: "x" });
  expect(registry.goals.map(({ title, owner }) => [title, owner])).toEqual(
    goals.map(({ owner }) => [`changed ${owner}`, owner]),
  );
}, 300_000);

test("a registry that is broken or LoopX's own is not rewritten", async () => {
  const directory = temporaryDirectory();
  const broken = join(directory, "registry.json");
  writeFileSync(broken, '{"goals": {}}');
  await expect(changeRegistry(seams, broken, (registry) => registry)).rejects.toMatchObject({
    code: "REGISTRY_INVALID",
    where: `${broken}:1:11`,
  });
  mkdirSync(join(directory, ".loopx"));
  const foreign = join(directory, ".loopx", "registry.json");
  writeFileSync(foreign, "{}");
  await expect(changeRegistry(seams, foreign, (registry) => registry)).rejects.toMatchObject({
    code: "FOREIGN_PROJECT",
  });
  expect([readFileSync(broken, "utf8"), readFileSync(foreign, "utf8")]).toEqual([
    '{"goals": {}}',
    "{}",
  ]);
});
