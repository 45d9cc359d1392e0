import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { FrozenCheck, Problem } from "@loopwright/protocol";
import type { LoadedProject, Project } from "../../control-plane/project/project.ts";
import { keyed, textsOf } from "../../control-plane/project/written.ts";
import { loadChecks } from "../../evaluation/check-file.ts";
import { protectionOf } from "../../evaluation/pins.ts";
import { createProtection, globProblem } from "../../evaluation/protected-globs.ts";
import { walkProtected } from "../../evaluation/protected-walk.ts";
import { startProblems, unprotected } from "./check-problems.ts";
import { nearestPath } from "./nearest-path.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Where `init` puts them. Without it there are no checks, as without any in it. */
const USUAL_FOLDER = ".loopwright/checks";

/** The checks, what is wrong with them, and what an agent could change to make them pass. */
export function gateProblems(
  project: Project,
  loaded: LoadedProject,
  environment: Environment,
): { checks: FrozenCheck[]; problems: Problem[] } {
  const { root } = project;
  const { checks: directory } = project.configuration.gate;
  const { checks, drafts, problems } = loadChecks(root, directory);
  const globs = textsOf(keyed(loaded.written["gate"])["protect"]);
  for (const [index, glob] of globs) {
    const where = loaded.placeInConfiguration(["gate", "protect", index]);
    const problem = protectProblem(root, glob, where);
    if (problem !== undefined) problems.push(problem);
  }
  const folder = folderProblem(root, directory, loaded);
  if (folder !== undefined) problems.push(folder);
  else if (drafts.length === 0 && !problems.some(({ severity }) => severity === "error"))
    problems.push(noChecks(loaded, directory));
  const protection = protectionOf({
    checksDirectory: directory,
    protect: globs.map(([, glob]) => glob).filter((glob) => globProblem(glob) === undefined),
  });
  for (const draft of drafts) {
    problems.push(...startProblems(root, draft, environment));
    problems.push(...unprotected(root, draft, protection));
  }
  return { checks, problems };
}

function folderProblem(
  root: string,
  directory: string,
  loaded: LoadedProject,
): Problem | undefined {
  const found = statSync(resolve(root, directory), { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return undefined;
  if (found === undefined && directory === USUAL_FOLDER) return undefined;
  const near = nearestPath(root, directory);
  return {
    severity: "error",
    where: loaded.placeInConfiguration(["gate", "checks"]),
    message: `gate.checks: ${directory} ${found === undefined ? "does not exist" : "is no folder"}`,
    hint:
      near === undefined || found !== undefined
        ? `Make that folder, or leave it out for ${USUAL_FOLDER}.`
        : `Did you mean ${JSON.stringify(near)}?`,
  };
}

const HAS_WILDCARD = /[*?[\]{}()!]/;

function protectProblem(root: string, glob: string, where: string): Problem | undefined {
  const name = `gate.protect: ${JSON.stringify(glob)}`;
  const flaw = globProblem(glob);
  if (flaw !== undefined) {
    const hint = "Write it relative to the repository's top, such as tests/acceptance/**.";
    return { severity: "error", where, message: `${name}: ${flaw}`, hint };
  }
  const sought = createProtection([glob.replace(/^!/, "")]);
  if (walkProtected(root, sought).next().done !== true) return undefined;
  const near = HAS_WILDCARD.test(glob) ? undefined : nearestPath(root, glob);
  return {
    severity: "warning",
    where,
    message: `${name} matches no file`,
    hint:
      near === undefined || near === glob
        ? "Correct it, unless such files are still to come; nobody but you may add them then."
        : `Did you mean ${JSON.stringify(near)}?`,
  };
}

function noChecks(loaded: LoadedProject, directory: string): Problem {
  return {
    severity: "warning",
    where: loaded.placeInConfiguration(["gate", "checks"]),
    message: `there is no check in ${directory}, so an agent's claim is accepted unverified`,
    hint: "Write one that fails today; .loopwright/checks/example.yaml.off shows how.",
  };
}
