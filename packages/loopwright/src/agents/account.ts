import { createHash } from "node:crypto";
import type { Account, AgentConfiguration } from "@loopwright/protocol";
import { adapterOf, availableAdapters } from "./adapters.ts";

/** Null for an agent of which nobody knows whose limits it meets. */
export function accountOf(
  settings: Pick<AgentConfiguration, "adapter" | "model" | "env">,
  environment: Readonly<Record<string, string | undefined>>,
): Account | null {
  if (!availableAdapters().includes(settings.adapter)) return null;
  const adapter = adapterOf(settings.adapter);
  const provider = adapter.provider?.(settings);
  if (provider === undefined) return null;
  const key = adapter.variables
    .filter((name) => /_(?:KEY|TOKEN)$/.test(name))
    .map((name) => settings.env[name] ?? environment[name])
    .find((value) => value !== undefined && value !== "");
  return {
    provider,
    account:
      key === undefined ? "login" : createHash("sha256").update(key).digest("hex").slice(0, 12),
    family: familyOf(settings.model),
  };
}

/** A model's name without its numbers and dates. */
function familyOf(model: string | undefined): string {
  const words = (model ?? "").toLowerCase().split(/[^a-z0-9]+/);
  const name = words.filter((word) => word !== "" && !/\d/.test(word)).join("-");
  return name === "" ? "default" : name.slice(0, 60);
}
