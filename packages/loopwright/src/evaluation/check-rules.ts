import type { CheckFile, Problem } from "@loopwright/protocol";
import { keyed } from "../control-plane/project/written.ts";

type Place = (path: readonly PropertyKey[]) => string;

/** What the schema can't say: which fields belong to which type, and whether they can work. */
export function checkProblems(check: CheckFile, raw: unknown, place: Place): Problem[] {
  const problems: Problem[] = [];
  const report = (field: string[], message: string, hint: string): void => {
    const where = place(field);
    problems.push({ severity: "error", where, message, hint });
  };
  // Of a type that isn't known, or not available, nothing can be demanded.
  const rules = isType(keyed(raw)["type"]) ? FIELDS[check.type] : undefined;
  const written = new Set(Object.keys(keyed(raw)));
  if (rules !== undefined && !written.has(rules.needed)) {
    const hint = `For example: ${rules.example}`;
    report(["type"], `a check of type ${check.type} needs "${rules.needed}"`, hint);
  }
  for (const field of rules?.foreign ?? []) {
    if (!written.has(field)) continue;
    const message = `"${field}" means nothing in a check of type ${check.type}`;
    report([field], message, "Take it out, or change the type.");
  }
  for (const field of ["cwd", "path"] as const) {
    const path = check[field];
    if (path !== undefined && !staysInside(path)) {
      report(
        [field],
        `"${field}" must be a relative path inside the repository, found ${JSON.stringify(path)}`,
        "Write it relative to the repository's top, without ..",
      );
    }
  }
  const { stdout_matches: pattern } = check.expect;
  const flaw = pattern === undefined ? undefined : patternFlaw(pattern);
  if (flaw !== undefined)
    report(
      ["expect", "stdout_matches"],
      `stdout_matches is no regular expression: ${flaw}`,
      "Put a backslash before ( ) [ ] { } . * + ? ^ $ | that stand for themselves.",
    );
  return problems;
}

interface Fields {
  readonly needed: string;
  readonly foreign: readonly string[];
  readonly example: string;
}

const FIELDS: Partial<Record<CheckFile["type"], Fields>> = {
  command: { needed: "run", foreign: ["path", "judge"], example: "run: [npm, test]" },
  file: {
    needed: "path",
    foreign: ["run", "cwd", "expect", "judge", "retries"],
    example: "path: docs/guide.md",
  },
};

function isType(type: unknown): boolean {
  return typeof type === "string" && Object.hasOwn(FIELDS, type);
}

function staysInside(path: string): boolean {
  return !/^(?:[/\\~]|[A-Za-z]:)/.test(path) && !path.split(/[/\\]/).includes("..");
}

function patternFlaw(pattern: string): string | undefined {
  try {
    // oxlint-disable-next-line no-new -- only whether it compiles
    new RegExp(pattern, "m");
    return undefined;
  } catch (error) {
    return (error as Error).message.replace(/^Invalid regular expression: /, "");
  }
}
