import { resolve } from "node:path";
import {
  type Configuration,
  configurationFile,
  frozenConfiguration,
  LoopwrightError,
  type Problem,
  slug,
} from "@loopwright/protocol";
import type { z } from "zod";
import { draftOf } from "./draft.ts";
import { loadGoalText } from "./load-goal-text.ts";
import { loadWorkflows } from "./load-workflows.ts";
import type { LoadedProject, ProjectOverrides } from "./project.ts";
import { keyed } from "./written.ts";
import { readYamlFile } from "./yaml-file.ts";

export const CONFIGURATION_NAME = "loopwright.yaml";

/**
 * Reads a project: configuration, goal text, and every workflow of the set. All problems at once; nothing is made.
 * Throws CONFIGURATION_MISSING when there is no configuration at all.
 * @param root absolute
 * @param configName relative to the root
 */
export function loadProject(
  root: string,
  configName = CONFIGURATION_NAME,
  overrides: ProjectOverrides = {},
): LoadedProject {
  const path = resolve(root, configName);
  const file = readYamlFile(path, configName, configurationFile);
  if (file === undefined) {
    throw new LoopwrightError("CONFIGURATION_MISSING", `${path} does not exist`, {
      where: path,
      hint: "Run: loopwright init",
    });
  }
  const problems: Problem[] = [...file.problems];
  const raw = file.raw === undefined ? undefined : keyed(file.raw);
  // A configuration with mistakes elsewhere still says which goal and set it means, so that theirs are told, too.
  const goalName = overrides.goalFile ?? text(raw?.["goal_file"]);
  const set = overrides.workflowSet ?? text(raw?.["workflow_set"]);

  const goal =
    goalName === undefined
      ? undefined
      : loadGoalText(
          root,
          goalName,
          overrides.goalFile === undefined ? file.place(["goal_file"]) : "--goal-file",
        );
  const workflows =
    set === undefined
      ? undefined
      : loadWorkflows(
          root,
          set,
          overrides.workflowSet === undefined ? file.place(["workflow_set"]) : "--workflow-set",
        );
  problems.push(...(goal?.problems ?? []), ...(workflows?.problems ?? []));

  const configuration =
    raw === undefined ? undefined : (file.value ?? draftOf(raw, configurationFile, standIns(raw)));
  const draft =
    configuration === undefined
      ? undefined
      : {
          root,
          configuration: configured(configuration, goalName, set, overrides.maxIterations),
          goalPath: resolve(root, goalName ?? ""),
          goalText: goal?.text ?? "",
          title: titleOf(goal?.text ?? ""),
          workflowSet: set ?? "",
          preamble: workflows?.preamble ?? "",
          workflows: workflows?.workflows ?? [],
        };
  const broken = problems.some(({ severity }) => severity === "error");
  return {
    project: broken ? undefined : draft,
    draft,
    agentNames: Object.keys(keyed(raw?.["agents"])),
    written: raw ?? {},
    problems,
    placeInConfiguration: file.place,
    placeInWorkflow: (id, at) => workflows?.place(id, at) ?? configName,
    promptName: (id) => workflows?.promptName(id) ?? configName,
  };
}

/** The configuration with what flags put in its place, in the form that sessions freeze. */
function configured(
  file: z.output<typeof configurationFile>,
  goalFile: string | undefined,
  set: string | undefined,
  maxIterations: number | undefined,
): Configuration {
  return frozenConfiguration.parse({
    ...file,
    goal_file: goalFile ?? file.goal_file,
    workflow_set: slug.safeParse(set).data ?? file.workflow_set,
    limits: { ...file.limits, max_iterations: maxIterations ?? file.limits.max_iterations },
  });
}

/** First heading or line of a goal text, at most 80 characters. */
export function titleOf(goalText: string): string {
  const line = goalText
    .replace(/<!--[\s\S]*?-->/g, "")
    .split("\n")
    .map((candidate) => candidate.replace(/^#+\s*/, "").trim())
    .find((candidate) => candidate !== "");
  const title = line ?? "";
  return title.length > 80 ? `${title.slice(0, 79).trimEnd()}…` : title;
}

/** For a draft of a configuration that lacks what it must have. */
function standIns(raw: Record<string, unknown>): Record<string, unknown> {
  return {
    goal_file: "goal.md",
    workflow_set: "set",
    agents: { nobody: { adapter: "command", command: ["true"] } },
    default_agent: Object.keys(keyed(raw["agents"]))[0] ?? "nobody",
  };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
