import { join } from "node:path";
import type { Projection } from "@loopwright/protocol";
import { readHeadFiles } from "../../git/head.ts";
import { type Part, partOf, type Problems } from "./part.ts";
import type { Gathered } from "./gather.ts";

/**
 * On which branch a work tree is. The commit is as of the last switch: it moves on without a trace in `HEAD`, and only
 * a detached head, whose `HEAD` names it, is judged by it.
 */
export function checkoutPart(
  repository: string | undefined,
  known: Gathered | undefined,
  problems: Problems,
): Part<Projection["checkout"]> | undefined {
  if (repository === undefined) return undefined;
  const before = known?.session?.repository === repository ? known : undefined;
  const path = before?.derived_from.head?.path ?? headPath(repository);
  return partOf(
    {
      name: path,
      path,
      known: before && { value: before.checkout, print: before.derived_from.head },
      otherwise: null,
      read() {
        const found = readHeadFiles(repository);
        const unknown = found === undefined || "gone" in found;
        return { value: unknown ? null : { branch: found.branch, head: found.head } };
      },
    },
    problems,
  );
}

function headPath(repository: string): string {
  const found = readHeadFiles(repository);
  return found === undefined || "gone" in found
    ? join(repository, ".git", "HEAD")
    : join(found.gitDirectory, "HEAD");
}
