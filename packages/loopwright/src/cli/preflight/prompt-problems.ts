import type { Problem } from "@loopwright/protocol";
import { closest } from "../../control-plane/closest.ts";
import type { LoadedProject, Project } from "../../control-plane/project/project.ts";
import { PLACEHOLDERS, unknownPlaceholders } from "../../worker/placeholders.ts";

/** A prompt fits one screen; a body beyond this usually holds what belongs into the goal or the preamble. */
const LONG_PROMPT = 16 * 1024;

/** Placeholders that nothing would be put in for, in the prompts and the preamble of the set. */
export function promptProblems(project: Project, loaded: LoadedProject): Problem[] {
  const preamble = loaded.promptName("preamble").replace(/preamble\/prompt\.md$/, "preamble.md");
  return [
    ...placeholderProblems(project.preamble, preamble),
    ...project.workflows.flatMap(({ id, prompt }) => [
      ...placeholderProblems(prompt, loaded.promptName(id)),
      ...lengthProblems(prompt, loaded.promptName(id)),
    ]),
  ];
}

function placeholderProblems(text: string, name: string): Problem[] {
  return unknownPlaceholders(text).map((placeholder): Problem => {
    const near = closest(placeholder.name, PLACEHOLDERS);
    const meant = near === undefined ? "" : ` (did you mean {{${near}}}?)`;
    return {
      severity: "error",
      where: `${name}:${placeholder.line}:${placeholder.column}`,
      message: `unknown placeholder {{${placeholder.name}}}${meant}`,
      hint: `There is ${PLACEHOLDERS.map((known) => `{{${known}}}`).join(" ")}.`,
    };
  });
}

function lengthProblems(prompt: string, name: string): Problem[] {
  if (prompt.length <= LONG_PROMPT) return [];
  const message = `this prompt has ${Math.round(prompt.length / 1024)} KiB and goes into every iteration`;
  return [
    {
      severity: "warning",
      where: name,
      message,
      hint: "Say the outcome and who owns what; name files for the rest.",
    },
  ];
}
