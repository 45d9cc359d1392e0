import { resolve } from "node:path";
import { LoopwrightError, type Problem } from "@loopwright/protocol";
import { readText } from "../../store/read.ts";

/** A goal larger than this belongs into files that the goal names. */
const MAX_BYTES = 256 * 1024;

/**
 * The exact goal text, or what is wrong with it. Comments alone are no goal: that is what `init` writes.
 * @param named `file:line:column` or flag that names the file
 */
export function loadGoalText(
  root: string,
  name: string,
  named: string,
): { text: string | undefined; problems: Problem[] } {
  const problem = (
    where: string,
    message: string,
    hint: string,
  ): { text: undefined; problems: Problem[] } => ({
    text: undefined,
    problems: [{ severity: "error", where, message, hint }],
  });
  try {
    const text = readText(resolve(root, name), { maxBytes: MAX_BYTES });
    if (text === undefined) {
      return problem(
        named,
        `the goal file ${name} does not exist`,
        "Write the goal there, or correct the path.",
      );
    }
    if (text.replace(/<!--[\s\S]*?-->/g, "").trim() === "") {
      return problem(
        `${name}:1:1`,
        "the goal is not written yet",
        "Write what should be true when the work is done.",
      );
    }
    return { text, problems: [] };
  } catch (error) {
    if (!(error instanceof LoopwrightError)) throw error;
    return problem(named, error.message, "Name a text file of at most 256 KiB.");
  }
}
