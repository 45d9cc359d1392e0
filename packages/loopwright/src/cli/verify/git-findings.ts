import { LoopwrightError } from "@loopwright/protocol";
import { git, repositoryFacts } from "../../git/index.ts";
import type { OpenedSession } from "../open-session.ts";
import type { Finding } from "./finding.ts";

/** The repository is where it was, and has the commits that the journal names. */
export async function gitFindings({ session, lines }: OpenedSession): Promise<Finding[]> {
  const { repository } = session;
  try {
    const facts = await repositoryFacts(repository);
    if ("problem" in facts)
      return [finding(repository, "it is no git repository with a commit any more")];
    if (facts.root !== repository)
      return [finding(repository, `it is a part of ${facts.root} now`)];
    const commits = new Set(session.base_commit === null ? [] : [session.base_commit]);
    for (const { type, data } of lines.flatMap(({ records }) => records)) {
      if (type === "task_finished" && data.changes?.head_after)
        commits.add(data.changes.head_after);
    }
    const missing = await missingCommits(repository, [...commits]);
    return missing.map((commit) =>
      finding(repository, `the commit ${commit} that the journal names is gone`),
    );
  } catch (error) {
    if (error instanceof LoopwrightError) return [finding(repository, error.message)];
    throw error;
  }
}

async function missingCommits(cwd: string, commits: readonly string[]): Promise<string[]> {
  const stdin = Buffer.from(commits.map((commit) => `${commit}\n`).join(""));
  const { stdout } = await git(["cat-file", "--batch-check"], { cwd, stdin });
  const found = stdout.toString("utf8").split("\n");
  return commits.filter((_, index) => !(found[index] ?? "").includes(" commit "));
}

function finding(where: string, message: string): Finding {
  return { source: "git", where, message };
}
