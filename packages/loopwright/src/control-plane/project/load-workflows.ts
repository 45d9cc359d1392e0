import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import {
  type FrozenWorkflow,
  frozenWorkflow,
  LoopwrightError,
  type Problem,
  slug,
  workflowFile,
} from "@loopwright/protocol";
import { readText } from "../../store/read.ts";
import { closest } from "../closest.ts";
import { draftOf } from "./draft.ts";
import { readYamlFile, type YamlFile } from "./yaml-file.ts";

export interface LoadedWorkflows {
  /** By id; those with mistakes without them. */
  readonly workflows: FrozenWorkflow[];
  readonly preamble: string;
  readonly problems: Problem[];
  place(id: string, path: readonly PropertyKey[]): string;
  promptName(id: string): string;
}

const WORKFLOWS = join(".loopwright", "workflows");

/**
 * Reads a workflow set: `.loopwright/workflows/<set>/preamble.md`, and `workflow.yaml` and `prompt.md` of each folder.
 * @param named `file:line:column` or flag that names the set
 */
export function loadWorkflows(root: string, set: string, named: string): LoadedWorkflows {
  const setName = join(WORKFLOWS, set);
  const files = new Map<string, YamlFile<unknown>>();
  const problems: Problem[] = [];
  const workflows: FrozenWorkflow[] = [];
  const ids = slug.safeParse(set).success ? foldersIn(join(root, setName)) : undefined;
  if (ids === undefined) problems.push(missingSet(root, set, named));
  if (ids?.length === 0) {
    problems.push({
      severity: "error",
      where: named,
      message: `the workflow set ${JSON.stringify(set)} has no workflow`,
      hint: `Make a folder with workflow.yaml and prompt.md in ${setName}.`,
    });
  }
  for (const id of ids ?? []) {
    const { workflow, file, problems: found } = loadWorkflow(root, join(setName, id), id);
    if (file !== undefined) files.set(id, file);
    if (workflow !== undefined) workflows.push(workflow);
    problems.push(...found);
  }
  const promptName = (id: string): string => join(setName, id, "prompt.md");
  return {
    workflows,
    preamble: ids === undefined ? "" : readPart(root, join(setName, "preamble.md"), problems, ""),
    problems,
    place: (id, path) => files.get(id)?.place(path) ?? join(setName, id, "workflow.yaml"),
    promptName,
  };
}

function loadWorkflow(
  root: string,
  folder: string,
  id: string,
): { workflow?: FrozenWorkflow; file?: YamlFile<unknown>; problems: Problem[] } {
  if (!slug.safeParse(id).success) {
    const message = `${JSON.stringify(id)} can't be the id of a workflow`;
    const hint = "Name its folder with letters, digits, dots, hyphens and underscores.";
    return { problems: [{ severity: "error", where: folder, message, hint }] };
  }
  const problems: Problem[] = [];
  const name = join(folder, "workflow.yaml");
  const file = readYamlFile(join(root, name), name, workflowFile);
  if (file === undefined) {
    const hint = "An empty one takes every default.";
    problems.push({ severity: "error", where: name, message: "this file is missing", hint });
  }
  problems.push(...(file?.problems ?? []));
  const prompt = readPart(root, join(folder, "prompt.md"), problems, undefined);
  const fields = file?.value ?? draftOf(file?.raw ?? {}, workflowFile) ?? workflowFile.parse({});
  const workflow = frozenWorkflow.parse({
    ...fields,
    id,
    prompt: prompt === "" ? "(missing)" : prompt,
  });
  return { workflow, ...(file === undefined ? {} : { file }), problems };
}

/** @param absent what an absent file stands for; undefined: it may not be absent or blank */
function readPart(
  root: string,
  name: string,
  problems: Problem[],
  absent: string | undefined,
): string {
  try {
    const text = readText(join(root, name), { maxBytes: 256 * 1024 });
    if (text === undefined && absent !== undefined) return absent;
    if (text !== undefined && (absent !== undefined || text.trim() !== "")) return text;
    const message = text === undefined ? "this file is missing" : "this file is blank";
    problems.push({
      severity: "error",
      where: name,
      message,
      hint: "Write what the agent has to do.",
    });
  } catch (error) {
    if (!(error instanceof LoopwrightError)) throw error;
    const hint = error.hint ?? "Put a text file of at most 256 KiB there.";
    problems.push({ severity: "error", where: name, message: error.message, hint });
  }
  return "";
}

function missingSet(root: string, set: string, named: string): Problem {
  const known = foldersIn(join(root, WORKFLOWS)) ?? [];
  const near = closest(set, known);
  return {
    severity: "error",
    where: named,
    message: `there is no workflow set ${JSON.stringify(set)} in ${WORKFLOWS}`,
    hint:
      near === undefined
        ? `There ${known.length === 0 ? "is none; run: loopwright init" : `is ${known.join(", ")}.`}`
        : `Did you mean ${JSON.stringify(near)}?`,
  };
}

/** Visible folders by name, or undefined when there is no such directory. */
function foldersIn(path: string): string[] | undefined {
  if (!existsSync(path)) return undefined;
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map(({ name }) => name)
    .sort();
}
