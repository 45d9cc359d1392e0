import { LoopwrightError } from "@loopwright/protocol";
import { commandAdapter } from "./command/adapter.ts";
import type { AgentAdapter } from "./port.ts";

/** One line an adapter. */
const ADAPTERS: Readonly<Record<string, AgentAdapter>> = {
  command: commandAdapter,
};

/** Throws AGENT_NOT_FOUND for an adapter that this version doesn't have. */
export function adapterOf(id: string): AgentAdapter {
  const adapter = ADAPTERS[id];
  if (adapter !== undefined) return adapter;
  throw new LoopwrightError(
    "AGENT_NOT_FOUND",
    `The adapter "${id}" is not available in this version.`,
    {
      hint: `Available: ${availableAdapters().join(", ")}. Any program can run as a "command" agent.`,
    },
  );
}

/** Names of variables of the user that an adapter's CLI needs; none for an adapter that there isn't. */
export function variablesOf(id: string): readonly string[] {
  return ADAPTERS[id]?.variables ?? [];
}

export function availableAdapters(): string[] {
  return Object.keys(ADAPTERS);
}
