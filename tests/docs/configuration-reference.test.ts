import { checkFile, configurationFile, workflowFile } from "@loopwright/protocol";
import { expect, test } from "vitest";
import type { ZodType } from "zod";
import { fieldRows } from "./field-rows.ts";

test("the reference of the files says what their schemas say (run with -u to write it again)", async () => {
  const page = [
    INTRODUCTION,
    CONFIGURATION,
    table(configurationFile),
    WORKFLOW,
    table(workflowFile),
    CHECK,
    table(checkFile),
  ].join("\n\n");
  await expect(`${page}\n`).toMatchFileSnapshot("../../docs/reference/configuration.md");
});

test("every field of the files has a meaning", () => {
  const rows = [configurationFile, workflowFile, checkFile].flatMap((schema) => fieldRows(schema));
  expect(rows.filter(({ meaning }) => meaning === "").map(({ path }) => path)).toEqual([]);
});

function table(schema: ZodType): string {
  const rows = fieldRows(schema).map(
    ({ path, type, preset, meaning }) => `| \`${path}\` | ${type} | ${preset} | ${meaning} |`,
  );
  return ["| field | takes | default | meaning |", "|---|---|---|---|", ...rows].join("\n");
}

const INTRODUCTION = `# The files that you write

All of them are YAML 1.2: \`yes\` is a text there, and only \`true\` is true. \`loopwright validate\` reports every problem of
all of them at once, with \`file:line:column\` and what to do about it. A key that isn't known is an error.

- A **duration** is written as \`90s\`, \`15m\`, \`8h\`, \`3d\` or \`500ms\`, a **size** as \`50MB\` or \`1GiB\`.
- A **name** has letters, digits, dots, hyphens and underscores, and begins with a letter or digit.
- \`<name>\` in a field stands for a name of your choice. \`null\` as default: without.
- What is *needed* must be written; what has no default can be left out.`;

const CONFIGURATION = `## \`loopwright.yaml\`

Stands at the top of the repository. A session keeps the configuration that it was started with; \`loopwright resume --reload\`
shows what differs and takes the present one.

\`\`\`yaml
goal_file: .loopwright/goal.md
workflow_set: inner_outer_eval
agents:
  coder: { adapter: command, command: [claude, -p, --permission-mode, acceptEdits] }
default_agent: coder
limits: { max_iterations: 40, max_wall_clock: 8h }
gate: { protect: ["tests/acceptance/**", package.json] }
\`\`\``;

const WORKFLOW = `## \`workflow.yaml\`

Stands in \`.loopwright/workflows/<set>/<workflow>/\`, beside \`prompt.md\`. The folder's name is the workflow's. An empty file takes
every default. [Workflows](../guide/workflows.md) says how they are chosen.`;

const CHECK = `## A check

One in each \`*.yaml\` of \`gate.checks\`; other files are left alone. [Checks and the gate](../guide/checks-and-the-gate.md) says
what they decide.

\`\`\`yaml
id: tests
type: command
run: [npm, test]
\`\`\``;
