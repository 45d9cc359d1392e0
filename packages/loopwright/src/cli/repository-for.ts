import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { LoopwrightError } from "@loopwright/protocol";
import { expandHome } from "../control-plane/registry-path.ts";
import type { Context } from "./context.ts";
import { projectRootFor } from "./init/project-root.ts";

/** The repository that a flag names, else the one around the current directory. A real path. Throws REPOSITORY_MISSING. */
export function repositoryFor({ cwd, home }: Context, flag: string | undefined): string {
  if (flag === undefined) return projectRootFor(cwd);
  const path = resolve(cwd, expandHome(flag, home));
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return realpathSync(path);
  throw new LoopwrightError("REPOSITORY_MISSING", `${path} is not a directory`, {
    hint: "Name a folder that exists.",
  });
}
