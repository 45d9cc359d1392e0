import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loopxAttention } from "./attention.ts";
import { parseActiveGoalState } from "./active-goal-state.ts";
import { importedGoal } from "./imported-goal.ts";
import { openLoopxGoal } from "./open-loopx.ts";
import { resolveRuntimeRoot } from "../runtime-root.ts";

const project = fileURLToPath(new URL("../../../../../tests/fixtures/loopx", import.meta.url));
const home = "/home/nobody";
const goal = openLoopxGoal({ path: project, home });
const AT = "2026-03-03T00:00:00.000Z";

test("state, todos and runs of a LoopX goal are read where they lie", () => {
  expect(goal).toMatchObject({ id: "demo-goal", title: "Count words", repository: project });
  expect(goal.state).toMatchObject({
    objective: "Count words like wc does, for UTF-8 input as well.",
    nextActions: ["Do not publish the package before the tests pass."],
    feedback: ["Keep it small."],
    todos: [
      { id: "todo_a1b2c3", role: "user", priority: 1, state: "open", taskClass: "user_gate" },
      { id: "todo_d4e5f6", role: "user", state: "done" },
      { id: "todo_0f0f0f", role: "agent", priority: 0, text: "Add tests for empty input" },
      { role: "agent", text: "Support Latin-1", state: "deferred" },
    ],
  });
});

test("runs are merged by identity, newest first; bad lines are told by number", () => {
  expect(goal.runs.map((run) => [run.classification, run.recommended_action])).toEqual([
    ["quota_slot_spent", undefined],
    ["state_refreshed", "Publish the package"],
    ["state_refreshed", "Write the counter"],
    ["state_refreshed", undefined],
  ]);
  expect(goal.runs[2]).toMatchObject({ reward: "good" });
  expect(goal.badLines).toEqual([{ lineNumber: 2, reason: "is not JSON" }]);
});

test("the newest run that isn't accounting is compared with the next action", () => {
  expect(goal.latest).toMatchObject({ recommended_action: "Publish the package" });
  expect(goal.drift).toMatchObject({ kind: "next_action_projection_mismatch" });
  expect(loopxAttention(goal, AT).map(({ kind, severity }) => [severity, kind])).toEqual([
    ["high", "user_gate"],
    [goal.drift?.severity, "next_action_projection_mismatch"],
    ["watch", "run_index_damaged"],
  ]);
});

test("the default runtime root of a LoopX registry is LoopX's own", () => {
  const registryPath = join(project, ".loopx", "registry.json");
  expect(resolveRuntimeRoot({ common_runtime_root: null }, { registryPath, home })).toBe(
    join(home, ".codex", "loopx"),
  );
});

test("an imported goal keeps objective, next action, todos and runs", () => {
  const imported = importedGoal(goal, "words", AT);
  expect(imported.goalText).toBe(
    "# Count words\n\nCount words like wc does, for UTF-8 input as well.\n\n## Non-Goals\n\n- Counting bytes\n\n## Authority Sources\n\n- README.md\n",
  );
  expect(imported.activeState).toContain('goal_id: "words"\n');
  expect(imported.activeState).toContain(
    "## Next Action\n\n- Do not publish the package before the tests pass.\n",
  );
  expect(imported.activeState).toContain(
    "- [ ] [P1] (you) Say whether tabs separate words <!-- id=todo_a1b2c3 status=open -->\n- [x] (you) Read the plan",
  );
  expect(imported.runs.map(({ generated_at: at }) => at)).toEqual([
    "2026-03-01T08:00:00.000Z",
    "2026-03-02T08:15:00.000Z",
    "2026-03-02T09:00:00.000Z",
  ]);
  expect(imported.skipped).toBe(1);
  expect(importedGoal(goal, "words", AT).runs).toEqual(imported.runs);
});

test.each([
  ["", ""],
  ["---\nno end", ""],
  ['\ufeff---\r\nobjective: "x"\r\n---\r\n## Next Action\r\n\r\n1. one\r\n2. two\r\n', "one"],
  ["## next action ##\n- a\n  b\n- c", "a b"],
  ["## Next Action\n<!--\n- hidden\n-->\n- shown", "shown"],
])("the next action of %j", (text, next) => {
  expect(parseActiveGoalState(text).nextActions[0] ?? "").toBe(next);
});
