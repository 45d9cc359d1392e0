import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const SOURCE_FILES = 200;

/** A git repository of a usual size for a small program, with one workflow and neither checks nor limits in the way. */
export function createProject(repository: string, agent: string): void {
  const files: Record<string, string> = {
    "loopwright.yaml": JSON.stringify({
      goal_file: ".loopwright/goal.md",
      workflow_set: "set",
      agents: { bench: { adapter: "command", command: ["bash", agent] } },
      default_agent: "bench",
      limits: { max_iterations: 1_000_000, max_wall_clock: null, no_progress_after: null },
    }),
    ".loopwright/goal.md": "# Go on\n\nUntil somebody says stop.\n",
    ".loopwright/workflows/set/work/workflow.yaml": "plans: true\nmay_complete: true\n",
    ".loopwright/workflows/set/work/prompt.md": "Do the next step.\n",
  };
  for (let at = 0; at < SOURCE_FILES; at++)
    files[`src/${at % 10}/file-${at}.txt`] = `line of file ${at}\n`.repeat(100);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(repository, path)), { recursive: true });
    writeFileSync(join(repository, path), text);
  }
  const git = (...words: string[]): void => {
    execFileSync("git", words, { cwd: repository, stdio: ["ignore", "ignore", "pipe"] });
  };
  git("init", "--quiet", "--initial-branch=main");
  git("add", "--all");
  const author = ["-c", "user.name=Bench", "-c", "user.email=bench@localhost"];
  git(...author, "commit", "--quiet", "-m", "Start");
}
