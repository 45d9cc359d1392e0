import { existsSync } from "node:fs";
import { type PathsFile, SCHEMA_VERSION, type WorkflowTask } from "@loopwright/protocol";
import { writeDurable } from "../store/durable-write.ts";
import type { Disk } from "../store/disk.ts";
import type { IterationLayout } from "../store/iteration-layout.ts";
import { makeOwnDirectory } from "../store/own-directory.ts";
import type { SessionLayout } from "../store/session-layout.ts";
import { renderContract } from "./contract.ts";
import { renderPrompt } from "./prompt.ts";

/**
 * Writes what stands before the agent: `prompt.md`, `paths.json`, `contract.json` and the places it may write. Not
 * synced one by one: `process.json` is, and without it nothing of this counts. Repeating it after a crash is harmless.
 */
export function prepareIteration(
  disk: Disk,
  task: WorkflowTask,
  iteration: IterationLayout,
  session: SessionLayout,
): void {
  const prompt = renderPrompt(task, iteration, session);
  for (const path of [iteration.directory, session.projectState, session.requests])
    makeOwnDirectory(disk, session.directory, path);
  // What makes process.json durable does it for these, too.
  for (const path of [iteration.out, iteration.childRequests])
    if (!existsSync(path)) disk.mkdir(path);
  const write = (path: string, content: string): void =>
    writeDurable(disk, path, content, { durable: false });
  for (const { path, content } of prompt.files) write(path, content);
  write(iteration.prompt, prompt.text);
  write(iteration.paths, `${JSON.stringify(pathsOf(task, iteration, session), undefined, 2)}\n`);
  write(iteration.contract, renderContract(task.attempt_id));
}

function pathsOf(
  task: WorkflowTask,
  iteration: IterationLayout,
  session: SessionLayout,
): PathsFile {
  return {
    schema_version: SCHEMA_VERSION,
    attempt_id: task.attempt_id,
    session_id: task.session_id,
    iteration: task.iteration,
    workflow_id: task.workflow_id,
    checkout: task.checkout,
    session: session.directory,
    goal: session.goal,
    project_state: session.projectState,
    requests: session.requests,
    out: iteration.out,
    report: iteration.report,
    goal_check: iteration.goalCheck,
    control: iteration.control,
    child_requests: iteration.childRequests,
    contract: iteration.contract,
    prompt: iteration.prompt,
    writable: [task.checkout, session.projectState, iteration.out],
  };
}
