import { realpathSync } from "node:fs";
import { LoopwrightError, type Problem } from "@loopwright/protocol";
import { type RepositoryFacts, repositoryFacts } from "../../git/repository.ts";

export interface CheckedRepository {
  readonly facts: RepositoryFacts | undefined;
  readonly problems: Problem[];
}

const SENTENCES = {
  not_a_repository: {
    message: "this is not a git repository",
    hint: "Run: git init, then commit what is there.",
  },
  no_commit: {
    message: "this git repository has no commit yet",
    hint: "Commit something: git add . && git commit",
  },
  bare: {
    message: "this git repository is bare, so agents have nowhere to work",
    hint: "Use a work tree of it: git worktree add",
  },
} as const;

/** The loop needs a git work tree with at least one commit, of which the project is the top. Never rejects. */
export async function checkRepository(root: string): Promise<CheckedRepository> {
  try {
    const facts = await repositoryFacts(root);
    if ("problem" in facts)
      return broken({ severity: "error", where: root, ...SENTENCES[facts.problem] });
    if (facts.root === realpathSync(root)) return { facts, problems: [] };
    return broken({
      severity: "error",
      where: root,
      message: `the project is a folder inside the work tree ${facts.root}`,
      hint: "Put loopwright.yaml and .loopwright at the top of the work tree.",
    });
  } catch (error) {
    if (!(error instanceof LoopwrightError)) throw error;
    const hint = error.hint === undefined ? {} : { hint: error.hint };
    return broken({ severity: "error", where: root, message: error.message, ...hint });
  }
}

function broken(problem: Problem): CheckedRepository {
  return { facts: undefined, problems: [problem] };
}
