import type { Configuration, FrozenWorkflow, Problem } from "@loopwright/protocol";

/** Everything that a session is started from, read and valid. */
export interface Project {
  /** Absolute path of the folder with `loopwright.yaml`. */
  readonly root: string;
  readonly configuration: Configuration;
  readonly goalPath: string;
  /** The exact text. */
  readonly goalText: string;
  readonly title: string;
  readonly workflowSet: string;
  /** Empty when the set has none. */
  readonly preamble: string;
  readonly workflows: readonly FrozenWorkflow[];
}

/** What reading a project gave: a project if nothing was wrong, all that was wrong, and where things stand. */
export interface LoadedProject {
  readonly project: Project | undefined;
  /** What can be made of it without its mistakes, to look for further ones; never to be run. */
  readonly draft: Project | undefined;
  /** As the configuration names them, those with mistakes included. */
  readonly agentNames: readonly string[];
  /** The configuration as it stands in the file, unchecked. */
  readonly written: Readonly<Record<string, unknown>>;
  readonly problems: Problem[];
  /** `file:line:column` of a value in the configuration. */
  placeInConfiguration(path: readonly PropertyKey[]): string;
  /** `file:line:column` of a field in a workflow's `workflow.yaml`. */
  placeInWorkflow(id: string, path: readonly PropertyKey[]): string;
  /** Project-relative name of a workflow's prompt. */
  promptName(id: string): string;
}

/** What flags put in place of the configuration's values. */
export interface ProjectOverrides {
  readonly goalFile?: string | undefined;
  readonly workflowSet?: string | undefined;
  readonly maxIterations?: number | undefined;
}
