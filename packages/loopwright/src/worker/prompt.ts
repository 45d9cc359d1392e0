import type { WorkflowTask } from "@loopwright/protocol";
import type { IterationLayout } from "../store/iteration-layout.ts";
import type { SessionLayout } from "../store/session-layout.ts";
import { fillPlaceholders } from "./placeholders.ts";
import { renderHeader } from "./prompt-header.ts";

export interface PromptFile {
  readonly path: string;
  readonly content: string;
}

export interface RenderedPrompt {
  readonly text: string;
  /** What the header names by path because it didn't fit. */
  readonly files: readonly PromptFile[];
}

/** Header, preamble, goal, body: exactly what the agent gets. Pure. Throws for an unknown placeholder. */
export function renderPrompt(
  task: WorkflowTask,
  iteration: IterationLayout,
  session: SessionLayout,
): RenderedPrompt {
  const values = {
    out: iteration.out,
    project_state: session.projectState,
    session: task.session_id,
    iteration: String(task.iteration),
    attempt_id: task.attempt_id,
    workflow: task.workflow_id,
  };
  const header = renderHeader(task, iteration, session);
  const sections = [
    header.text,
    fillPlaceholders(task.preamble, values).trim(),
    `# Goal\n\n${task.goal.trim()}`,
    list("Completion criteria", task.completion_criteria),
    list("Stop criteria", task.stop_criteria),
    fillPlaceholders(task.prompt_body, values).trim(),
  ];
  return {
    text: `${sections.filter((section) => section !== "").join("\n\n")}\n`,
    files: header.files,
  };
}

function list(title: string, items: readonly string[]): string {
  return items.length === 0
    ? ""
    : `## ${title}\n\n${items.map((item) => `- ${item.trim()}`).join("\n")}`;
}
