import { statSync } from "node:fs";
import { join, normalize } from "node:path";
import type { FrozenCheck, Problem } from "@loopwright/protocol";
import type { LoadedProject, Project } from "../../control-plane/project/project.ts";
import { loadChecks } from "../../evaluation/check-file.ts";
import { protectionOf } from "../../evaluation/pins.ts";
import { globProblem, type Protection } from "../../evaluation/protected-globs.ts";

/** The checks, what is wrong with them, and what an agent could change to make them pass. */
export function gateProblems(
  project: Project,
  loaded: LoadedProject,
): { checks: FrozenCheck[]; problems: Problem[] } {
  const { gate } = project.configuration;
  const { checks, problems } = loadChecks(project.root, gate.checks);
  for (const [index, glob] of gate.protect.entries()) {
    const problem = globProblem(glob);
    if (problem === undefined) continue;
    const where = loaded.placeInConfiguration(["gate", "protect", index]);
    problems.push({
      severity: "error",
      where,
      message: `gate.protect: ${JSON.stringify(glob)}: ${problem}`,
    });
  }
  if (checks.length === 0 && problems.length === 0) problems.push(noChecks(loaded, gate.checks));
  const protection = protectionOf({
    checksDirectory: gate.checks,
    protect: gate.protect.filter((glob) => globProblem(glob) === undefined),
  });
  problems.push(...checks.flatMap((check) => unprotected(project.root, check, protection)));
  return { checks, problems };
}

function noChecks(loaded: LoadedProject, directory: string): Problem {
  return {
    severity: "warning",
    where: loaded.placeInConfiguration(["gate", "checks"]),
    message: `there is no check in ${directory}, so an agent's claim is accepted unverified`,
    hint: "Write one that fails today; .loopwright/checks/example.yaml.off shows how.",
  };
}

/** What such a program reads to know what to run. */
const RUNNERS: Readonly<Record<string, string>> = {
  npm: "package.json",
  npx: "package.json",
  pnpm: "package.json",
  yarn: "package.json",
  bun: "package.json",
  make: "Makefile",
  just: "justfile",
};

function unprotected(root: string, check: FrozenCheck, protection: Protection): Problem[] {
  if (check.type !== "command" || check.run === undefined) return [];
  const words = typeof check.run === "string" ? check.run.split(/[\s;&|()<>"']+/) : check.run;
  const runner = RUNNERS[words[0] ?? ""];
  const named = [...words, ...(runner === undefined ? [] : [runner])].map((word) =>
    inCheckout(check.cwd, word),
  );
  const files = new Set(
    named.filter(
      (path) => path !== undefined && isFile(join(root, path)) && !protection.matches(path),
    ),
  );
  return [...files].map((path): Problem => ({
    severity: "warning",
    where: check.file,
    message: `the check ${JSON.stringify(check.id)} depends on ${path}, which agents can change`,
    hint: `Add ${JSON.stringify(path)} to gate.protect in loopwright.yaml.`,
  }));
}

/** The word as a path of the checkout; undefined when it can't be one. */
function inCheckout(cwd: string | undefined, word: string): string | undefined {
  if (word === "" || word.startsWith("-") || word.startsWith("/")) return undefined;
  const path = normalize(join(cwd ?? "", word));
  return path.startsWith("..") ? undefined : path;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
