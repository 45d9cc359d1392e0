import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { DriftWarning, RunRow } from "@loopwright/protocol";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { callAll } from "./harness/account.ts";
import { type Called, createScratch, GOAL, type Scratch } from "./harness/scratch.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let scratch: Scratch;
beforeAll(async () => {
  scratch = await createScratch();
});
afterAll(() => scratch.close());

const place = (name: string): string => join(scratch.runtimeRoot, "goals", GOAL, name);
const state = (): string => readFileSync(place("ACTIVE_STATE.md"), "utf8");
const runs = (): RunRow[] =>
  existsSync(place("runs.jsonl"))
    ? readFileSync(place("runs.jsonl"), "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as RunRow)
    : [];

async function call(...commands: (readonly string[])[]): Promise<Called[]> {
  return await callAll(scratch, commands);
}

async function json<T>(...words: string[]): Promise<T> {
  const [called] = await call([...words, "--json"]);
  expect(called).toMatchObject({ code: 0, stderr: expect.not.stringContaining("error") });
  return JSON.parse(called?.stdout ?? "") as T;
}

test("two texts are compared, without a goal", async () => {
  const compare = (a: string, b: string): string[] => [
    "drift",
    "--next-action",
    a,
    "--recommended-action",
    b,
    "--json",
  ];
  const [same, other, half, both] = await call(
    compare("Write tests", "write tests for parser"),
    compare("Use sqlite", "Use postgres"),
    ["drift", "--next-action", "A"],
    [...compare("A", "B"), GOAL],
  );
  expect(JSON.parse(same?.stdout ?? "")).toEqual({
    schema_version: 1,
    aligned: true,
    warning: null,
  });
  expect(JSON.parse(other?.stdout ?? "")).toMatchObject({
    aligned: false,
    warning: { kind: "next_action_projection_mismatch", divergence: "different_target" },
  });
  expect([half?.code, both?.code]).toEqual([2, 2]);
});

test("refresh takes an edited state up, and says where its recommendation comes from", async () => {
  const before = state();
  expect(await json("refresh", GOAL, "--dry-run")).toMatchObject({
    dry_run: true,
    run: { recommended_action_source: "default" },
  });
  expect([runs(), state()]).toEqual([[], before]);
  writeFileSync(
    place("ACTIVE_STATE.md"),
    before.replace("## Todo\n", "## Todo\n\n- [ ] [P2] Later\n- [ ] [P1] Sooner\n"),
  );
  const [, moved, told] = await call(
    ["refresh", GOAL],
    ["refresh", GOAL, "--next-action", "Write the parser", "--classification", "planned"],
    ["refresh", GOAL, "--recommended-action", "Write the printer"],
  );
  expect(runs().map((run) => [run.kind, run.classification, run.recommended_action])).toEqual([
    ["refresh", "refreshed", "Sooner"],
    ["decision", "moved", "Write the parser"],
    ["refresh", "planned", "Write the parser"],
    ["refresh", "refreshed", "Write the printer"],
  ]);
  expect(state()).toContain("## Next Action\n\n- Write the parser\n\n## Todo\n\n- [ ] [P2] Later");
  expect(moved?.stdout).toContain("recommended  Write the parser (the next action itself)");
  expect(told?.stdout).toContain("next_action_projection_mismatch");
});

test("a mismatch is shown until it is settled, by either side", async () => {
  const drift = ["drift", GOAL, "--json"];
  const called = await call(
    drift,
    ["resolve", GOAL, "--take", "run", "--json"],
    drift,
    ["resolve", GOAL, "--take", "run", "--json"],
    ["refresh", GOAL, "--recommended-action", "Do not write the printer"],
    drift,
    ["resolve", GOAL, "--take", "state", "--note", "We need it"],
    ["refresh", GOAL],
    drift,
  );
  const kinds = ({ stdout }: Called): string[] =>
    (JSON.parse(stdout) as { warnings: DriftWarning[] }).warnings
      .filter(({ severity }) => severity !== "info")
      .map(({ kind }) => kind);
  const [before, run, after, again, , anew, , , settled] = called as [Called, ...Called[]];
  const MISMATCH = ["next_action_projection_mismatch"];
  expect([before, after, anew, settled].map((one) => kinds(one!))).toEqual([
    MISMATCH,
    [],
    MISMATCH,
    [],
  ]);
  expect(JSON.parse(run?.stdout ?? "")).toMatchObject({
    resolved: true,
    next_action: "Write the printer",
    seq: null,
  });
  expect(JSON.parse(again?.stdout ?? "")).toMatchObject({ resolved: false });
  expect(runs().at(-2)).toMatchObject({ classification: "took_state", note: "We need it" });
  expect(state()).toContain("- Write the printer\n");
});

test("eight refreshes at once are eight runs in a valid index", async () => {
  const before = runs().length;
  await Promise.all(
    Array.from({ length: 4 }, () =>
      call(["refresh", GOAL], ["refresh", GOAL, "--next-action", "Write the printer"]),
    ),
  );
  expect(runs().length - before).toBe(8);
  expect(new Set(runs().map(({ run_id }) => run_id)).size).toBe(runs().length);
});

test("what is wrong with the files is told by line, and nothing is refused for it", async () => {
  writeFileSync(place("ACTIVE_STATE.md"), `---\ngoal_id: other\nb: [\n---\n## Todo\n## Todo\n`);
  writeFileSync(place("runs.jsonl"), "nonsense\n");
  const [called] = await call(["refresh", GOAL]);
  expect(called?.code).toBe(0);
  expect(called?.stderr).toMatch(/ACTIVE_STATE\.md:\d the front matter is not YAML/);
  expect(called?.stderr).toContain(`ACTIVE_STATE.md:6 "## Todo" already stands in line 5`);
  expect(called?.stderr).toContain("runs.jsonl:1 is not JSON");
});

test("a LoopX goal is compared where it lies, and never changed", async () => {
  const loopx = fileURLToPath(new URL("../fixtures/loopx/.loopx/registry.json", import.meta.url));
  const registry = ["--registry", loopx];
  const [listed] = await call([...registry, "goal", "list", "--json"]);
  const { goals } = JSON.parse(listed?.stdout ?? "") as { goals: { id: string }[] };
  const id = goals[0]?.id ?? "";
  const [drift, refused] = await call(
    [...registry, "drift", id, "--json"],
    [...registry, "refresh", id],
  );
  expect(JSON.parse(drift?.stdout ?? "")).toMatchObject({ goal_id: id });
  expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining("FOREIGN_PROJECT") });
});
