import { describe, expect, test } from "vitest";
import type { WorkflowTask } from "@loopwright/protocol";
import { iterationLayout } from "../store/iteration-layout.ts";
import { sessionLayout } from "../store/session-layout.ts";
import { renderPrompt } from "./prompt.ts";

const SESSION = sessionLayout("/r/goals/g/sessions/20260101T000000Z-0123456789ab");
const ITERATION = iterationLayout(`${SESSION.directory}/iterations/0003_inner`);

const TASK = {
  session_id: "20260101T000000Z-0123456789ab",
  attempt_id: "01jgfjjv00zzzzzzzzzzzzzzzz",
  checkout: "/home/me/project",
  workflow_id: "inner",
  iteration: 3,
  goal: "\nThe parser reads {{literal}} braces.\n",
  preamble: "The goal text is authoritative.",
  prompt_body:
    "# Task\n\nDo one task of {{project_state}}/plan.md.\nThis is iteration {{ iteration }}.\n",
  completion_criteria: ["All tests pass"],
  stop_criteria: [],
  emits_goal_check: false,
  may_complete: false,
  inputs: [],
  diagnosis: [],
} as unknown as WorkflowTask;

function render(changes: Partial<WorkflowTask> = {}) {
  return renderPrompt({ ...TASK, ...changes }, ITERATION, SESSION);
}

const GUIDANCE = {
  id: "in-1",
  text: "Prefer the existing mailer\nand say so",
  at: "2026-01-01T00:00:00.000Z",
};
const REFUSED = {
  kind: "claim_refused",
  text: "unit-tests failed: exit 1",
  path: "evaluations/0002-1/receipt.json",
} as const;

test("header, preamble, goal, criteria, body", () => {
  expect(render({ inputs: [GUIDANCE], diagnosis: [REFUSED], may_complete: true }).text)
    .toMatchInlineSnapshot(`
    "# Loopwright: iteration 3, workflow inner

    You run unattended: nobody answers questions, and this one run is all you have.

    - session 20260101T000000Z-0123456789ab, attempt 01jgfjjv00zzzzzzzzzzzzzzzz
    - work in /home/me/project
    - durable notes: /r/goals/g/sessions/20260101T000000Z-0123456789ab/project_state
    - your output directory: /r/goals/g/sessions/20260101T000000Z-0123456789ab/iterations/0003_inner/out
    - end by writing \`report.json\` there; also \`control.json\` to claim that the goal is met
    - formats with examples: /r/goals/g/sessions/20260101T000000Z-0123456789ab/iterations/0003_inner/contract.json
    - all paths: /r/goals/g/sessions/20260101T000000Z-0123456789ab/iterations/0003_inner/paths.json

    ## What the engine found

    - unit-tests failed: exit 1 (see /r/goals/g/sessions/20260101T000000Z-0123456789ab/evaluations/0002-1/receipt.json)

    ## Guidance from people: name each id with your disposition under \`inputs\` in report.json

    - [in-1] Prefer the existing mailer
      and say so

    The goal text is authoritative.

    # Goal

    The parser reads {{literal}} braces.

    ## Completion criteria

    - All tests pass

    # Task

    Do one task of /r/goals/g/sessions/20260101T000000Z-0123456789ab/project_state/plan.md.
    This is iteration 3.
    "
  `);
});

describe("the header", () => {
  const header = (changes: Partial<WorkflowTask>): string =>
    render(changes).text.split("\n\nThe goal text")[0] ?? "";

  test("stays below 2 KB whatever stands in it; what doesn't fit is named by its path", () => {
    const long = { ...REFUSED, text: "x".repeat(4_000) };
    const inputs = Array.from({ length: 50 }, (_, index) => ({
      ...GUIDANCE,
      id: `in-${index}`,
      text: "y".repeat(5_000),
    }));
    const { files } = render({ inputs, diagnosis: [long, long] });
    expect(Buffer.byteLength(header({ inputs, diagnosis: [long, long] }))).toBeLessThan(2_048);
    expect(files.map(({ path }) => path)).toEqual([
      `${ITERATION.directory}/diagnosis.md`,
      `${ITERATION.directory}/guidance.md`,
    ]);
    expect(files[1]?.content).toContain(`- [in-49] ${"y".repeat(5_000)}`);
    for (const { path } of files)
      expect(header({ inputs, diagnosis: [long, long] })).toContain(path);
  });

  test("shows a refused claim in full when only the guidance is too long", () => {
    const text = header({
      inputs: [{ ...GUIDANCE, text: "y".repeat(5_000) }],
      diagnosis: [REFUSED],
    });
    expect(text).toContain("unit-tests failed: exit 1 (see /r/goals/g/sessions/");
    expect(text).toContain("1 entry, too long for here");
  });
});

test("an unknown placeholder throws; braces of the goal are nobody's business", () => {
  expect(() => render({ prompt_body: "{{outt}}" })).toThrow('unknown placeholder "{{outt}}"');
  expect(render().text).toContain("{{literal}}");
});

describe("where the plan stands", () => {
  const last = {
    iteration: 2,
    workflow_id: "inner",
    succeeded: true,
    summary: "Wrote the parser.",
    recommended_action: "Write the printer",
    report: "/r/report.json",
  };
  const plan = { path: "/r/ACTIVE_STATE.md", next_action: "Write the parser", last };

  test("is told to a workflow that plans, with what the last iteration said", () => {
    const { text } = render({ plan });
    expect(text).toContain("The next action, in /r/ACTIVE_STATE.md: Write the parser\n");
    expect(text).toContain("Iteration 2 (inner) succeeded: Wrote the parser.\n");
    expect(text).toContain("It recommends: Write the printer\n  (see /r/report.json)");
    expect(render().text).not.toContain("Where the plan stands");
  });

  test("is told where nothing is planned yet, and where an iteration left no report", () => {
    const silent = { ...last, succeeded: false, summary: "", recommended_action: null };
    const { text } = render({ plan: { ...plan, next_action: null, last: silent } });
    expect(text).toContain("- There is no next action yet: your report's recommended_action");
    expect(text).toContain("- Iteration 2 (inner) didn't succeed and left no report\n");
  });

  test("goes by path when it doesn't fit", () => {
    const { text, files } = render({ plan: { ...plan, next_action: "x".repeat(3000) } });
    expect(text).toContain("2 entries, too long for here. Read first:");
    expect(files.map(({ path }) => path)).toEqual([`${ITERATION.directory}/plan.md`]);
  });
});
