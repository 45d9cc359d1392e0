import { resolve } from "node:path";
import {
  LoopwrightError,
  registryFile,
  type RegistryFile,
  type RegistryGoal,
} from "@loopwright/protocol";
import { jsonErrorPosition } from "../store/json-position.ts";
import { readText } from "../store/read.ts";
import { closest } from "./closest.ts";
import { isForeignRegistry } from "./foreign-registry.ts";
import { jsonPlace } from "./json-place.ts";
import { registryProjectRoot } from "./registry-path.ts";

/**
 * Reads and checks a registry. A missing one is an empty one. Throws REGISTRY_INVALID (one sentence, `file:line:column`)
 * or SCHEMA_NEWER. Unknown fields are kept, so that a rewrite doesn't lose them.
 */
export function loadRegistry(path: string): RegistryFile {
  const text = readText(path);
  if (text === undefined) return registryFile.parse({});
  return parseRegistry(path, text);
}

export function registryGoals(registry: RegistryFile): readonly RegistryGoal[] {
  return registry.goals;
}

/** Throws GOAL_NOT_FOUND; a mistyped id is answered with the nearest that exists. */
export function registryGoal(
  registry: RegistryFile,
  id: string,
  registryPath: string,
): RegistryGoal {
  const found = registry.goals.find((goal) => goal.id === id);
  if (found !== undefined) return found;
  const ids = registry.goals.map((goal) => goal.id);
  const near = closest(id, ids);
  throw new LoopwrightError(
    "GOAL_NOT_FOUND",
    `There is no goal ${JSON.stringify(id)} in ${registryPath}`,
    {
      hint:
        near === undefined
          ? `It lists ${ids.length === 0 ? "none; run: loopwright init" : ids.slice(0, 10).join(", ")}.`
          : `Did you mean ${JSON.stringify(near)}?`,
    },
  );
}

export function parseRegistry(path: string, text: string): RegistryFile {
  const value = parseJson(path, text);
  const fail = (at: readonly PropertyKey[], message: string): never => {
    const { line, column } = jsonPlace(text, at);
    const where = `${path}:${line}:${column}`;
    throw new LoopwrightError("REGISTRY_INVALID", `${where} ${message}`, { where });
  };
  if (!isObject(value)) return fail([], "a registry must be a JSON object");
  if (value["goals"] !== undefined && !Array.isArray(value["goals"])) {
    return fail(["goals"], '"goals" must be a list');
  }
  const version = value["schema_version"];
  if (typeof version === "number" && version > 1 && !isForeignRegistry(path)) {
    throw new LoopwrightError(
      "SCHEMA_NEWER",
      `${path} has schema version ${version}, but this program knows only up to 1`,
      { where: path, hint: "Update Loopwright." },
    );
  }
  const parsed = registryFile.safeParse(
    isForeignRegistry(path) ? { ...value, schema_version: 1 } : value,
  );
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const at = issue?.path ?? [];
    return fail(
      at,
      `${nameOf(at)}${missing(value, at) ? "is missing" : (issue?.message ?? "is not valid")}`,
    );
  }
  const conflict = findConflict(path, parsed.data.goals);
  if (conflict !== undefined) return fail(conflict.at, conflict.message);
  return parsed.data;
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { line, column } = jsonErrorPosition(text);
    const where = `${path}:${line}:${column}`;
    const message = text.trim() === "" ? `${path} is empty` : `${where} this is not valid JSON`;
    throw new LoopwrightError("REGISTRY_INVALID", message, { where, cause: error });
  }
}

/** The first pair of goals that can't both stand in one registry. */
function findConflict(
  path: string,
  goals: readonly RegistryGoal[],
): { at: PropertyKey[]; message: string } | undefined {
  const ids = new Map<string, string>();
  const stateFiles = new Map<string, string>();
  for (const [index, goal] of goals.entries()) {
    const same = ids.get(goal.id.toLowerCase());
    if (same === goal.id) {
      return {
        at: ["goals", index, "id"],
        message: `the goal id ${quote(goal.id)} stands here twice`,
      };
    }
    if (same !== undefined) {
      return {
        at: ["goals", index, "id"],
        message: `the goal ids ${quote(same)} and ${quote(goal.id)} differ only in case`,
      };
    }
    ids.set(goal.id.toLowerCase(), goal.id);
    if (goal.state_file === undefined) continue;
    const file = resolve(registryProjectRoot(path), goal.repo, goal.state_file);
    const other = stateFiles.get(file);
    if (other !== undefined) {
      return {
        at: ["goals", index, "state_file"],
        message: `the goals ${quote(other)} and ${quote(goal.id)} share one state file`,
      };
    }
    stateFiles.set(file, goal.id);
  }
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function missing(value: unknown, at: readonly PropertyKey[]): boolean {
  let here: unknown = value;
  for (const key of at) here = (here as Record<PropertyKey, unknown> | undefined)?.[key];
  return here === undefined;
}

function nameOf(at: readonly PropertyKey[]): string {
  return at.length === 0 ? "" : `${at.map(String).join(".")} `;
}

function quote(text: string): string {
  return JSON.stringify(text);
}
