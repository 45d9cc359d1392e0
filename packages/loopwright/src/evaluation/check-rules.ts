import type { CheckFile, Problem } from "@loopwright/protocol";

type Place = (path: readonly PropertyKey[]) => string;

/** What the schema can't say: which fields belong to which type, and whether they can work. */
export function checkProblems(check: CheckFile, raw: unknown, place: Place): Problem[] {
  const problems: Problem[] = [];
  const report = (field: string[], message: string, hint?: string): void => {
    const where = place(field);
    problems.push({ severity: "error", where, message, ...(hint === undefined ? {} : { hint }) });
  };
  const written = new Set(Object.keys(raw as Record<string, unknown>));
  const { needed, foreign } = FIELDS[check.type];
  if (!written.has(needed)) {
    report(["type"], `a check of type ${check.type} needs "${needed}"`, EXAMPLES[check.type]);
  }
  for (const field of foreign) {
    if (written.has(field))
      report([field], `"${field}" means nothing in a check of type ${check.type}`);
  }
  if (check.type === "judge") {
    report(
      ["type"],
      "checks of type judge are not available yet",
      "Use a command that exits 0 when the goal is met.",
    );
  }
  for (const field of ["cwd", "path"] as const) {
    const path = check[field];
    if (path !== undefined && !staysInside(path)) {
      report(
        [field],
        `"${field}" must be a relative path inside the repository, found ${JSON.stringify(path)}`,
      );
    }
  }
  const { stdout_matches: pattern } = check.expect;
  const flaw = pattern === undefined ? undefined : patternFlaw(pattern);
  if (flaw !== undefined)
    report(["expect", "stdout_matches"], `stdout_matches is no regular expression: ${flaw}`);
  return problems;
}

const FIELDS: Record<CheckFile["type"], { needed: string; foreign: readonly string[] }> = {
  command: { needed: "run", foreign: ["path", "judge"] },
  file: { needed: "path", foreign: ["run", "cwd", "expect", "judge", "retries"] },
  judge: { needed: "judge", foreign: ["run", "cwd", "path", "expect"] },
};

const EXAMPLES: Record<CheckFile["type"], string> = {
  command: "run: [npm, test]",
  file: "path: docs/guide.md",
  judge: "judge: { agent: reviewer, question: … }",
};

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
