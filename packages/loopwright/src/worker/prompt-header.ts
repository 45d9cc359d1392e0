import { join } from "node:path";
import type { WorkflowTask } from "@loopwright/protocol";
import type { IterationLayout } from "../store/iteration-layout.ts";
import type { SessionLayout } from "../store/session-layout.ts";
import type { PromptFile } from "./prompt.ts";

/** Bytes that the header stays below, as long as the paths themselves leave room. */
const HEADER_LIMIT = 2_048;

interface Part {
  readonly title: string;
  readonly items: readonly string[];
  /** Takes the items where they don't fit. */
  readonly file: string;
}

/** Ids, paths, and what the engine and people have to say to this iteration: in full if it fits, else by path. */
export function renderHeader(
  task: WorkflowTask,
  iteration: IterationLayout,
  session: SessionLayout,
): { readonly text: string; readonly files: readonly PromptFile[] } {
  const parts: Part[] = [
    {
      title: "What the engine found",
      items: task.diagnosis.map(({ text, path }) =>
        path === undefined ? text.trim() : `${text.trim()} (see ${join(session.directory, path)})`,
      ),
      file: join(iteration.directory, "diagnosis.md"),
    },
    {
      title:
        "Guidance from people: name each id with your disposition under `inputs` in report.json",
      items: task.inputs.map(({ id, text }) => `[${id}] ${text.trim()}`),
      file: join(iteration.directory, "guidance.md"),
    },
    {
      title: "Where the plan stands",
      items: planItems(task),
      file: join(iteration.directory, "plan.md"),
    },
  ].filter(({ items }) => items.length > 0);

  let text = identity(task, iteration, session);
  const files: PromptFile[] = [];
  // What was refused comes first: it is why this iteration would otherwise fail like the last one.
  let reserved = parts.reduce((sum, part) => sum + bytes(byPath(part)), 0);
  for (const part of parts) {
    reserved -= bytes(byPath(part));
    const whole = inFull(part);
    if (bytes(text) + bytes(whole) + reserved < HEADER_LIMIT) {
      text += whole;
      continue;
    }
    text += byPath(part);
    files.push({ path: part.file, content: `# ${part.title}\n\n${bullets(part.items)}\n` });
  }
  return { text: text.trimEnd(), files };
}

/** What a planning workflow decides from: the next action is moved by what its report recommends. */
function planItems({ plan }: WorkflowTask): string[] {
  if (plan === undefined) return [];
  const { next_action: nextAction, last, path } = plan;
  return [
    nextAction === null
      ? `There is no next action yet: your report's recommended_action becomes it, in ${path}`
      : `The next action, in ${path}: ${nextAction.trim()}\n(your report's recommended_action takes its place)`,
    ...(last === null ? [] : [lastItem(last)]),
  ];
}

function lastItem(last: NonNullable<NonNullable<WorkflowTask["plan"]>["last"]>): string {
  const { iteration, workflow_id, succeeded, summary, recommended_action, report } = last;
  const said = [
    summary.trim(),
    recommended_action === null ? "" : `It recommends: ${recommended_action.trim()}`,
  ]
    .filter((part) => part !== "")
    .join("\n");
  const how = succeeded ? "succeeded" : "didn't succeed";
  return said === ""
    ? `Iteration ${iteration} (${workflow_id}) ${how} and left no report`
    : `Iteration ${iteration} (${workflow_id}) ${how}: ${said}\n(see ${report})`;
}

function identity(task: WorkflowTask, iteration: IterationLayout, session: SessionLayout): string {
  const alsoWrite = [
    ...(task.emits_goal_check ? ["`goal_check.json` (required)"] : []),
    ...(task.may_complete ? ["`control.json` to claim that the goal is met"] : []),
  ];
  return `${[
    `# Loopwright: iteration ${task.iteration}, workflow ${task.workflow_id}`,
    "",
    "You run unattended: nobody answers questions, and this one run is all you have.",
    "",
    `- session ${task.session_id}, attempt ${task.attempt_id}`,
    `- work in ${task.checkout}`,
    `- durable notes: ${session.projectState}`,
    `- your output directory: ${iteration.out}`,
    `- end by writing \`report.json\` there${alsoWrite.length === 0 ? "" : `; also ${alsoWrite.join("; ")}`}`,
    `- formats with examples: ${iteration.contract}`,
    `- all paths: ${iteration.paths}`,
  ].join("\n")}\n`;
}

function inFull({ title, items }: Part): string {
  return `\n## ${title}\n\n${bullets(items)}\n`;
}

function byPath({ title, items, file }: Part): string {
  const count = items.length === 1 ? "1 entry" : `${items.length} entries`;
  return `\n## ${title}\n\n${count}, too long for here. Read first: ${file}\n`;
}

function bullets(items: readonly string[]): string {
  return items.map((item) => `- ${item.replaceAll("\n", "\n  ")}`).join("\n");
}

function bytes(text: string): number {
  return Buffer.byteLength(text);
}
