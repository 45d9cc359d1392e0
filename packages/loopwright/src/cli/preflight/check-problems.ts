import { statSync } from "node:fs";
import { join, normalize, resolve } from "node:path";
import type { Problem } from "@loopwright/protocol";
import { agentEnvironment } from "../../agents/environment.ts";
import { findProgram } from "../../agents/find-program.ts";
import type { DraftCheck } from "../../evaluation/check-file.ts";
import type { Protection } from "../../evaluation/protected-globs.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What a check needs to start at all: without it each run of it errors, the first one before a session begins. */
export function startProblems(root: string, draft: DraftCheck, user: Environment): Problem[] {
  const { check, place } = draft;
  if (check.type !== "command" || check.run === undefined) return [];
  const folder = resolve(root, check.cwd ?? ".");
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    const message = `the check ${JSON.stringify(check.id)} runs in ${check.cwd}, which is no folder`;
    const hint = "Make it, or correct cwd; it is relative to the repository's top.";
    return [{ severity: "error", where: place(["cwd"]), message, hint }];
  }
  const [program = ""] = typeof check.run === "string" ? ["/bin/sh"] : check.run;
  const environment = agentEnvironment({ user, settings: NOTHING, assignment: {} });
  const named = program.includes("/") ? resolve(folder, program) : program;
  if (findProgram(named, environment["PATH"] ?? "") !== undefined) return [];
  const where = place(typeof check.run === "string" ? ["run"] : ["run", 0]);
  const id = JSON.stringify(check.id);
  const message = program.includes("/")
    ? `the program ${JSON.stringify(program)} of the check ${id} isn't there, or can't be run`
    : `the program ${JSON.stringify(program)} of the check ${id} was not found`;
  const hint = program.includes("/")
    ? "Correct its path, or make the file executable."
    : "Install it, correct its name, or write one text (run: …) to have the shell run it.";
  return [{ severity: "error", where, message, hint }];
}

/** What the runner of checks passes on beside the standard variables. */
const NOTHING = { env: {}, pass_env: [] };

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

/** What an agent could change to make a check pass. */
export function unprotected(root: string, draft: DraftCheck, protection: Protection): Problem[] {
  const { check, place } = draft;
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
    where: place(["run"]),
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
