import type { SessionFile } from "@loopwright/protocol";
import type { Texts } from "../diff/diff-texts.ts";

/** Configuration, workflows and preamble of a session as files to be compared. */
export function settingTexts({ configuration, workflows, preamble }: SessionFile): Texts {
  const texts = new Map([["configuration.json", json(configuration)]]);
  if (preamble !== "") texts.set("preamble.md", preamble);
  for (const { id, prompt, ...fields } of workflows) {
    texts.set(`workflows/${id}/prompt.md`, prompt);
    texts.set(`workflows/${id}/workflow.json`, json(fields));
  }
  return texts;
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
