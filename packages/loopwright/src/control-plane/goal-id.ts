import { createHash } from "node:crypto";
import { basename, dirname, resolve } from "node:path";
import { goalId, isReservedName, LoopwrightError } from "@loopwright/protocol";

/**
 * The id as it is when it may name a goal, at every entry: command line, HTTP, files, imports. Throws GOAL_ID_INVALID
 * with the reason. Nothing is made for an id that fails here.
 */
export function validateGoalId(id: string): string {
  if (goalId.safeParse(id).success) return id;
  const shown = JSON.stringify(id.length > 120 ? `${id.slice(0, 120)}…` : id);
  throw new LoopwrightError(
    "GOAL_ID_INVALID",
    `${shown} can't be a goal id: ${reasonAgainst(id)}`,
    {
      hint: "Use 1 to 100 letters, digits, dots, hyphens and underscores, beginning with a letter or digit.",
    },
  );
}

/** `<folder>-<4 hex of the registry's path>`: readable, and unlike the id of a folder of that name elsewhere. */
export function proposeGoalId(projectRoot: string, registryPath: string): string {
  const folder = basename(resolve(projectRoot))
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, 90)
    .replace(/[.-]+$/, "");
  const hash = createHash("sha256").update(resolve(dirname(registryPath), basename(registryPath)));
  return validateGoalId(`${folder === "" ? "goal" : folder}-${hash.digest("hex").slice(0, 4)}`);
}

function reasonAgainst(id: string): string {
  if (id === "") return "it is empty";
  if (id.length > 100) return `it has ${id.length} characters`;
  if (id.endsWith(".")) return "it ends in a dot";
  if (isReservedName(id)) return "it is a device name on some systems";
  if (!/^[A-Za-z0-9]/.test(id)) return "it doesn't begin with a letter or digit";
  const bad = /[^A-Za-z0-9._-]/u.exec(id);
  return bad === null ? "its form is not allowed" : `it contains ${JSON.stringify(bad[0])}`;
}
