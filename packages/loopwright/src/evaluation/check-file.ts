import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import {
  checkFile,
  type CheckFile,
  type FrozenCheck,
  frozenCheck,
  type Problem,
} from "@loopwright/protocol";
import { draftOf } from "../control-plane/project/draft.ts";
import { parseYamlFile } from "../control-plane/project/yaml-file.ts";
import { checkProblems } from "./check-rules.ts";
import { sha256Of } from "./pin-store.ts";
import { standing } from "./plain-file.ts";

export interface LoadedChecks {
  /** Those without errors, by file name. */
  readonly checks: FrozenCheck[];
  /** All that say anything, without their mistakes: to look for further ones, never to be run. */
  readonly drafts: DraftCheck[];
  readonly problems: Problem[];
}

export interface DraftCheck {
  readonly check: CheckFile;
  /** Relative to the root. */
  readonly file: string;
  /** `file:line:column` of a field. */
  place(path: readonly PropertyKey[]): string;
}

/** Nobody writes a longer check. */
const MAX_BYTES = 256 * 1024;

/**
 * Reads every `*.yaml` of the checks directory, one check each; others are left alone, `*.yml` with a warning. All
 * problems at once, with `file:line:column`. No directory, or an empty one, means that there are no checks.
 * @param checksDirectory relative to `root`
 */
export function loadChecks(root: string, checksDirectory: string | undefined): LoadedChecks {
  const checks: FrozenCheck[] = [];
  const drafts: DraftCheck[] = [];
  const problems: Problem[] = [];
  const places = new Map<string, string>();
  for (const name of checksDirectory === undefined ? [] : yamlNames(join(root, checksDirectory))) {
    const file = join(checksDirectory ?? "", name);
    if (!name.endsWith(".yaml")) {
      problems.push(ignored(file));
      continue;
    }
    const loaded = loadCheck(root, file);
    problems.push(...loaded.problems);
    if (loaded.draft !== undefined) drafts.push(loaded.draft);
    if (loaded.check === undefined) continue;
    const taken = places.get(loaded.check.id);
    if (taken === undefined) {
      places.set(loaded.check.id, loaded.where);
      checks.push(loaded.check);
    } else {
      const message = `the check id ${JSON.stringify(loaded.check.id)} is taken by ${taken}`;
      problems.push({
        severity: "error",
        where: loaded.where,
        message,
        hint: "Give each check an id of its own.",
      });
    }
  }
  if (checks.length > 0 && !checks.some((check) => check.required)) {
    const message = "no check is required, so none of them can prove the goal";
    const hint = "Set required: true, the default, in the one that proves it.";
    problems.push({ severity: "warning", where: checksDirectory ?? "", message, hint });
  }
  return { checks, drafts, problems };
}

function loadCheck(
  root: string,
  file: string,
): { check?: FrozenCheck; draft?: DraftCheck; where: string; problems: Problem[] } {
  const path = join(root, file);
  const found = standing(path);
  const content = found.kind === "file" ? readFileSync(path) : undefined;
  if (content === undefined || content.length > MAX_BYTES) {
    const message = `${basename(file)} is not a regular file of at most 256 KiB`;
    const hint = "Write the check there, or move what stands there away.";
    return { where: file, problems: [{ severity: "error", where: file, message, hint }] };
  }
  const parsed = parseYamlFile(content.toString("utf8"), file, checkFile);
  const where = parsed.place(["id"]);
  const fields = parsed.value ?? draftOf(parsed.raw, checkFile, STAND_INS);
  if (fields === undefined) return { where, problems: parsed.problems };
  const { raw, place } = parsed;
  const problems = [...parsed.problems, ...checkProblems(fields, raw, place)];
  const draft = { check: fields, file, place };
  const isBroken = problems.some(({ severity }) => severity === "error");
  if (parsed.value === undefined || isBroken) return { draft, where, problems };
  const check = frozenCheck.parse({ ...parsed.value, sha256: sha256Of(content), file });
  return { check, draft, where, problems };
}

/** For what is missing or wrong; rules about it are left out. */
const STAND_INS = { id: "check", type: "command" };

function ignored(file: string): Problem {
  const message = `${basename(file)} is not read: checks end with .yaml`;
  const name = basename(file).replace(/\.ya?ml$/i, ".yaml");
  return { severity: "warning", where: file, message, hint: `Rename it to ${name}.` };
}

function yamlNames(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter((name) => /\.ya?ml$/i.test(name) && !name.startsWith("."))
      .sort();
  } catch {
    return [];
  }
}
