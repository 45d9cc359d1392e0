import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { LoopwrightError } from "@loopwright/protocol";
import { templatesFolder } from "../templates.ts";

export const DEMO_GOAL = "demo";

/** One folder that holds everything of a demo: repository, agent program, runtime root and a home of its own. */
export interface Scratch {
  readonly directory: string;
  readonly repository: string;
  readonly runtimeRoot: string;
  /** The environment of everything that the demo starts: nothing of it reaches the user's own home. */
  readonly environment: NodeJS.ProcessEnv;
}

/** A git repository with a small real program that isn't written yet, and real tests that fail. */
export function createScratch(environment: NodeJS.ProcessEnv): Scratch {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-demo-")));
  const repository = join(directory, "repository");
  const home = join(directory, "home");
  const templates = join(templatesFolder(), "demo");
  mkdirSync(home);
  cpSync(join(templates, "project"), repository, { recursive: true });
  cpSync(join(templates, "agent.mjs"), join(directory, "agent.mjs"));
  // The agent and the checks are started as `node`: the one that runs this, whatever is installed besides.
  const path = `${dirname(process.execPath)}:${environment["PATH"] ?? ""}`;
  const scratch: Scratch = {
    directory,
    repository,
    runtimeRoot: join(directory, "runtime"),
    environment: { ...environment, HOME: home, PATH: path, LOOPWRIGHT_REGISTRY: undefined },
  };
  const git = (...words: string[]): void => {
    try {
      execFileSync("git", words, {
        cwd: repository,
        env: scratch.environment,
        stdio: ["ignore", "ignore", "pipe"],
      });
    } catch (cause) {
      // Nothing in it is worth keeping yet.
      rmSync(directory, { recursive: true, force: true });
      throw gitFailed(cause);
    }
  };
  git("init", "--quiet", "--initial-branch=main");
  git("add", "--all");
  git(
    "-c",
    "user.name=Demo",
    "-c",
    "user.email=demo@localhost",
    "commit",
    "--quiet",
    "-m",
    "A till that isn't written yet",
  );
  return scratch;
}

function gitFailed(cause: unknown): LoopwrightError {
  const { code, stderr } = cause as NodeJS.ErrnoException & { stderr?: Buffer };
  const why =
    code === "ENOENT" ? "git is not installed" : (stderr?.toString().trim().split("\n")[0] ?? "");
  return new LoopwrightError("GIT_FAILED", `The demo's repository can't be made: ${why}`, {
    cause,
    hint: "The demo needs git on PATH.",
  });
}
