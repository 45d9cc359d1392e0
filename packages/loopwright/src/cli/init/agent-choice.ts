import { LoopwrightError } from "@loopwright/protocol";
import { availableAdapters } from "../../agents/adapters.ts";
import { findProgram } from "../../agents/find-program.ts";
import { closest } from "../../control-plane/closest.ts";

export interface AgentChoice {
  readonly name: string;
  /** What is said about it. */
  readonly why: string;
  /** Lines of the `agents:` section. */
  readonly yaml: string;
}

/** In the order in which they are looked for. The arguments run each one once, unattended, with its prompt on stdin. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  claude: ["claude", "-p", "--permission-mode", "acceptEdits"],
  codex: ["codex", "exec", "--sandbox", "workspace-write", "-"],
  gemini: ["gemini", "--approval-mode", "yolo"],
  opencode: ["opencode", "run"],
};

/** The agent that a new configuration names: the one asked for, else the first that is installed. Throws USAGE. */
export function chooseAgent(asked: string | undefined, path: string): AgentChoice {
  if (asked === "command")
    return { name: "command", why: "as asked; name your program", yaml: PLACEHOLDER };
  if (asked !== undefined) {
    if (KNOWN[asked] !== undefined) return { name: asked, why: "as asked", yaml: sectionOf(asked) };
    const names = ["command", ...Object.keys(KNOWN)];
    const near = closest(asked, names);
    throw new LoopwrightError("USAGE", `There is no agent ${JSON.stringify(asked)}`, {
      hint:
        near === undefined
          ? `There is ${names.join(", ")}.`
          : `Did you mean ${JSON.stringify(near)}?`,
    });
  }
  const installed = Object.keys(KNOWN).find((name) => findProgram(name, path) !== undefined);
  return installed === undefined
    ? {
        name: "command",
        why: "no agent CLI was found on PATH; name your program",
        yaml: PLACEHOLDER,
      }
    : { name: installed, why: `${installed} is installed`, yaml: sectionOf(installed) };
}

const PLACEHOLDER = `  # Any program that reads a prompt from its standard input and edits files in the current directory.
  coder: { adapter: command, command: [name-of-your-agent, --its-option] }`;

function sectionOf(name: string): string {
  if (availableAdapters().includes(name)) return `  coder: { adapter: ${name} }`;
  return `  # The prompt comes on standard input. What the agent may do is up to its own options.
  coder: { adapter: command, command: [${(KNOWN[name] ?? []).map(quoted).join(", ")}] }`;
}

function quoted(argument: string): string {
  return argument === "-" ? '"-"' : argument;
}
