import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { checkFile, type FrozenCheck, frozenCheck, type Problem } from "@loopwright/protocol";
import { draftOf } from "../control-plane/project/draft.ts";
import { parseYamlFile } from "../control-plane/project/yaml-file.ts";
import { checkProblems } from "./check-rules.ts";
import { sha256Of } from "./pin-store.ts";
import { standing } from "./plain-file.ts";

export interface LoadedChecks {
  /** Those without errors, by file name. */
  readonly checks: FrozenCheck[];
  readonly problems: Problem[];
}

/** Nobody writes a longer check. */
const MAX_BYTES = 256 * 1024;

/**
 * Reads every `*.yaml` of the checks directory, one check each; other files are left alone. All problems at once, with
 * `file:line:column`. No directory, or an empty one, means that there are no checks.
 * @param checksDirectory relative to `root`
 */
export function loadChecks(root: string, checksDirectory: string | undefined): LoadedChecks {
  const checks: FrozenCheck[] = [];
  const problems: Problem[] = [];
  const places = new Map<string, string>();
  for (const name of checksDirectory === undefined ? [] : yamlNames(join(root, checksDirectory))) {
    const file = join(checksDirectory ?? "", name);
    const loaded = loadCheck(root, file);
    problems.push(...loaded.problems);
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
    problems.push({ severity: "warning", where: checksDirectory ?? "", message });
  }
  return { checks, problems };
}

function loadCheck(
  root: string,
  file: string,
): { check?: FrozenCheck; where: string; problems: Problem[] } {
  const path = join(root, file);
  const found = standing(path);
  const content = found.kind === "file" ? readFileSync(path) : undefined;
  if (content === undefined || content.length > MAX_BYTES) {
    const message = `${basename(file)} is not a regular file of at most 256 KiB`;
    return { where: file, problems: [{ severity: "error", where: file, message }] };
  }
  const parsed = parseYamlFile(content.toString("utf8"), file, checkFile);
  const where = parsed.place(["id"]);
  const draft = parsed.value ?? draftOf(parsed.raw, checkFile);
  const further = draft === undefined ? [] : checkProblems(draft, parsed.raw, parsed.place);
  const problems = [...parsed.problems, ...further];
  if (parsed.value === undefined) return { where, problems };
  if (problems.some(({ severity }) => severity === "error")) return { where, problems };
  const check = frozenCheck.parse({ ...parsed.value, sha256: sha256Of(content), file });
  return { check, where, problems };
}

function yamlNames(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter((name) => name.endsWith(".yaml") && !name.startsWith("."))
      .sort();
  } catch {
    return [];
  }
}
