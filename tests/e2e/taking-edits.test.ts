import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { signalProcess } from "../crash/harness/process-table.ts";
import { until } from "../crash/harness/wait.ts";
import { crew, held, verified } from "./harness/loop.ts";
import { useRooms } from "./harness/rooms.ts";
import { CLAIM, DONE, report } from "./harness/steps.ts";

vi.setConfig({ testTimeout: 180_000 });

const room = useRooms();
const GATE = { gate: { protect: ["tests/**"] }, files: { "tests/helper.sh": "old\n" } };

test("check --repin takes the user's own edits, and verifications use them from then on, also after a restart", async () => {
  const loop = await room({
    ...GATE,
    limits: { max_iterations: 1 },
    plan: { iterations: { 1: [report()], 2: [DONE, report(), CLAIM] } },
  });
  expect((await loop.call(["check", "--repin"])).code).toBe(4);
  expect((await loop.call(["run"])).code).toBe(10);
  loop.write("tests/helper.sh", "new\n");
  loop.write(
    ".loopwright/checks/goal.yaml",
    JSON.stringify({
      id: "goal",
      type: "command",
      run: "grep -qx done goal.txt && grep -qx new tests/helper.sh",
    }),
  );

  const repinned = await loop.call(["check", "--repin"]);
  expect(repinned).toMatchObject({ code: 1, stderr: "" });
  expect(repinned.stdout).toContain("-old\n+new\n");
  const [record] = loop.session().records("pins_changed") as unknown as [
    { data: { pins_sha256: string; diff_path: string; files: string[] } },
  ];
  expect(record.data.files).toEqual([".loopwright/checks/goal.yaml", "tests/helper.sh"]);
  expect(readFileSync(`${loop.session().directory}/${record.data.diff_path}`, "utf8")).toContain(
    "+new\n",
  );
  expect((await loop.call(["check", "--repin"])).stdout).toContain("Nothing differs");
  await verified(loop);

  expect((await loop.call(["resume", "--max-iterations", "+2"])).code).toBe(0);
  expect(readFileSync(loop.source("tests/helper.sh"), "utf8")).toBe("new\n");
  await verified(loop);
  expect(await loop.call(["check", "--repin"])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("has met its goal"),
  });

  const pins = `${loop.session().directory}/frozen/${record.data.pins_sha256}.json`;
  writeFileSync(pins, `${readFileSync(pins, "utf8")} `);
  const forged = await loop.call(["verify"]);
  expect(forged).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("it is not the pins that the journal names"),
  });
});

test("resume --reload shows what differs, takes it after a yes only, and keeps it after a restart", async () => {
  const loop = await room({ ...GATE, limits: { max_iterations: 1 }, plan: { steps: [report()] } });
  expect((await loop.call(["run"])).code).toBe(10);
  const configuration = readFileSync(loop.source("loopwright.yaml"), "utf8");
  loop.write(
    "loopwright.yaml",
    configuration.replace(`"max_iterations": 1`, `"max_iterations": 9`),
  );
  loop.write(".loopwright/workflows/set/work/prompt.md", "Work by the new prompt.\n");
  loop.write("tests/helper.sh", "an agent's\n");

  const asked = await loop.call(["resume", "--reload"]);
  expect(asked).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("resume --reload --yes"),
  });
  expect(asked.stdout).toContain("+Work by the new prompt.");
  expect(loop.session().records("configuration_reloaded")).toEqual([]);
  loop.write(".loopwright/workflows/set/work/workflow.yaml", "may_complete: maybe\n");
  expect(await loop.call(["resume", "--reload", "--yes"])).toMatchObject({
    code: 5,
    stderr: expect.stringContaining("workflow.yaml:1:15"),
  });
  loop.write(".loopwright/workflows/set/work/workflow.yaml", "may_complete: true\n");

  loop.plan({ iterations: { 2: [report()], 3: held(loop.file("go"), DONE, CLAIM) } });
  const resumed = loop.start(["resume", "--reload", "--yes"]);
  await until("the third iteration", () => loop.witnessed().length === 3);
  expect(loop.session().records("configuration_reloaded")).toMatchObject([
    {
      data: {
        by: "user",
        changes: [
          "limits.max_iterations: 1 -> 9",
          "workflows.work.plans: true -> false",
          "workflows.work.prompt",
        ],
      },
    },
  ]);
  expect(await loop.call(["resume", "--reload", "--yes"])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("loopwright stop"),
  });
  expect(await loop.call(["check", "--repin"])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("loopwright stop"),
  });
  for (const row of [resumed, ...crew(loop, "coordinator"), ...crew(loop, "worker")])
    signalProcess(row, "SIGKILL");
  await resumed.exited;
  expect(await loop.call(["check", "--repin"])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("still at work"),
  });
  loop.write("../go", "");
  expect((await loop.call(["run"])).code).toBe(0);
  const prompt = readFileSync(`${loop.session().directory}/iterations/0003_work/prompt.md`, "utf8");
  expect(prompt).toContain("Work by the new prompt.");
  // A reload is no way around the pins.
  expect(readFileSync(loop.source("tests/helper.sh"), "utf8")).toBe("old\n");
  await verified(loop);
});

test("explain --what-if tells the first decision that other rules would have made", async () => {
  const loop = await room({
    limits: { max_iterations: 3 },
    workflows: { a: { may_complete: true, priority: 2 }, b: {} },
    plan: { steps: [report()] },
  });
  expect((await loop.call(["run"])).code).toBe(10);
  mkdirSync(loop.file("edited/a"), { recursive: true });
  const edited = loop.file("edited/a/workflow.yaml");
  writeFileSync(edited, "may_complete: true\npriority: 2\n");
  expect((await loop.call(["explain", "--what-if", edited])).stdout).toContain("would be the same");
  writeFileSync(edited, "may_complete: true\npriority: 2\nrun_every: 2\nnot_before_iteration: 1\n");
  const differs = await loop.call(["explain", "--what-if", loop.file("edited/a")]);
  expect(differs).toMatchObject({ code: 0, stderr: "" });
  expect(differs.stdout).toMatch(/then +a as iteration 1\n +with it +b as iteration 1/);
  const json = await loop.call(["explain", "--json", "--what-if", edited]);
  expect(JSON.parse(json.stdout)).toMatchObject({
    workflow_id: "a",
    divergence: { was: "a as iteration 1", would: "b as iteration 1" },
  });
  writeFileSync(edited, "must_follow: c\n");
  expect(await loop.call(["explain", "--what-if", edited])).toMatchObject({
    code: 5,
    stderr: expect.stringContaining("workflow.yaml:1:14"),
  });
});
