import { statSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import { preflightSchedule } from "@loopwright/engine";
import {
  frozenWorkflow,
  LoopwrightError,
  type Rules,
  type SchedulingRules,
  workflowFile,
} from "@loopwright/protocol";
import { schedulingRulesOf } from "../../control-plane/project/freeze.ts";
import { readYamlFile } from "../../control-plane/project/yaml-file.ts";
import { countProblems } from "../output/problems.ts";

/**
 * Reads an edited `workflow.yaml`, or a folder with one, as the rules of the workflow that its folder names; where none
 * has that name, the one that the file itself names (`inner.yaml`). Throws USAGE, or CONFIGURATION_INVALID with all
 * problems.
 */
export function editedWorkflow(cwd: string, named: string, rules: Rules): SchedulingRules {
  const given = resolve(cwd, named);
  const isFolder = statSync(given, { throwIfNoEntry: false })?.isDirectory() === true;
  const path = isFolder ? join(given, "workflow.yaml") : given;
  const file = readYamlFile(path, named, workflowFile);
  if (file === undefined) {
    throw new LoopwrightError("USAGE", `${path} does not exist`, {
      where: path,
      hint: "Name an edited workflow.yaml, in a folder that is called like its workflow.",
    });
  }
  if (file.value === undefined) throw invalid(named, file.problems);
  const id = idOf(path, rules);
  const edited = schedulingRulesOf(
    frozenWorkflow.parse({ ...file.value, id, prompt: "(not read)" }),
  );
  const found = preflightSchedule(underEdit(rules, edited)).filter(
    ({ severity, workflow_id, field }) =>
      severity === "error" && workflow_id === id && field !== null,
  );
  if (found.length > 0) {
    const problems = found.map(({ severity, field, message, hint }) => ({
      severity,
      where: file.place((field ?? "").split(".")),
      message,
      ...(hint === undefined ? {} : { hint }),
    }));
    throw invalid(named, problems);
  }
  return edited;
}

/** The same rules with this workflow's in place of its own. Those of another set, without it, stay as they are. */
export function underEdit(rules: Rules, edited: SchedulingRules): Rules {
  const workflows = rules.workflows.map((each) => (each.id === edited.id ? edited : each));
  return { ...rules, workflows };
}

function idOf(path: string, { workflows }: Rules): string {
  const names = [basename(dirname(path)), basename(path, extname(path))];
  const id = names.find((name) => workflows.some((workflow) => workflow.id === name));
  if (id !== undefined) return id;
  throw new LoopwrightError(
    "USAGE",
    `The session has no workflow ${JSON.stringify(names[0])}, which the folder of ${path} names`,
    { hint: `It has ${workflows.map((workflow) => workflow.id).join(", ")}.` },
  );
}

function invalid(named: string, problems: LoopwrightError["problems"]): LoopwrightError {
  return new LoopwrightError(
    "CONFIGURATION_INVALID",
    `${named} can't be replayed: ${countProblems(problems)}`,
    { problems },
  );
}
