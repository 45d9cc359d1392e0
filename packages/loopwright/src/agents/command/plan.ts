import { LoopwrightError } from "@loopwright/protocol";
import type { Assignment, LaunchPlan } from "../port.ts";

/**
 * `command` is the program and its arguments, `args` follow. With `prompt: file`, `{prompt_file}` in an argument is
 * replaced by the prompt's path and stdin is empty. `{model}` and `{effort}` likewise, where they are configured.
 * The prompt itself is never an argument: those are limited to 128 KiB and everybody can see them.
 */
export function planCommand({ settings, promptFile }: Assignment): LaunchPlan {
  const [file, ...rest] = settings.command ?? [];
  if (file === undefined) {
    throw new LoopwrightError("AGENT_NOT_FOUND", `Agent "${settings.name}" has no "command".`);
  }
  const values = new Map([
    ["{prompt_file}", promptFile],
    ["{model}", settings.model],
    ["{effort}", settings.effort],
  ]);
  const fill = (argument: string): string =>
    argument.replace(/\{(?:prompt_file|model|effort)\}/g, (name) => values.get(name) ?? name);
  return {
    file,
    args: [...rest, ...settings.args].map(fill),
    env: {},
    stdin: settings.prompt === "file" ? null : promptFile,
    files: [],
    links: [],
  };
}
