import { durationText, sizeText, slug } from "@loopwright/protocol";
import type { core } from "zod";
import { closest } from "../closest.ts";
import { laterOf } from "./later-choices.ts";
import {
  acceptsNull,
  defaultOf,
  definitionOf,
  isOf,
  keysOf,
  meaningOf,
  type SchemaChain,
} from "./schema-at.ts";

type Issue = core.$ZodIssue;

export const NAME_HINT =
  "Use letters, digits, dots, hyphens and underscores, beginning with a letter or digit.";

/**
 * What to do about a value, in a sentence: what was meant as far as it can be told, else what the setting takes.
 * @param chain the schema at the value
 * @param holders the schemas around it, the innermost first
 */
export function suggestion(
  issue: Issue,
  found: unknown,
  chain: SchemaChain,
  holders: readonly SchemaChain[],
): string {
  return meant(issue, found, chain) ?? example(String(issue.path.at(-1)), chain, holders);
}

/** The words that may stand here in this version; undefined where it isn't a choice between words. */
export function wordsOf(chain: SchemaChain, values: readonly unknown[]): string[] {
  const later = laterOf(chain)?.values ?? [];
  return values.map(String).filter((value) => !later.includes(value));
}

function meant(issue: Issue, found: unknown, chain: SchemaChain): string | undefined {
  if (isOf(chain, durationText)) return durationHint(found);
  if (isOf(chain, sizeText)) return sizeHint(found);
  if (isOf(chain, slug) && typeof found === "string") return NAME_HINT;
  if (issue.code === "invalid_value") return wordHint(found, wordsOf(chain, issue.values));
  if (issue.code !== "invalid_type") return undefined;
  const { expected } = issue;
  if (expected === "boolean" && typeof found === "string") return "Write true or false.";
  if (expected === "string" && ["number", "boolean"].includes(typeof found))
    return `Put it in quotes if text is meant: ${JSON.stringify(String(found))}.`;
  if (expected === "array" && typeof found === "string") return `Write it as a list: [${found}].`;
  if (["int", "number"].includes(expected) && typeof found === "string") return numberHint(found);
  return undefined;
}

function wordHint(found: unknown, words: readonly string[]): string | undefined {
  const near = typeof found === "string" ? closest(found, words) : undefined;
  if (near !== undefined) return `Did you mean ${JSON.stringify(near)}?`;
  return found === undefined ? `Write one of: ${words.join(", ")}.` : undefined;
}

/** `8 hours`, `8H`, `60`: people say the unit in many ways, or not at all. */
function durationHint(found: unknown): string | undefined {
  const [, amount, word = ""] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(String(found).trim()) ?? [];
  if (amount === undefined || Number(amount) === 0) return undefined;
  if (word === "") return `Say the unit: ${amount}s or ${amount}m?`;
  const unit = /^(?:ms|s|m|h|d)$/i.exec(word)?.[0] ?? /^(?:mi|[smhd])/i.exec(word)?.[0]?.charAt(0);
  return unit === undefined ? undefined : `Did you mean ${amount}${unit.toLowerCase()}?`;
}

function sizeHint(found: unknown): string | undefined {
  const [, amount, word = ""] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(String(found).trim()) ?? [];
  if (amount === undefined || Number(amount) === 0) return undefined;
  if (word === "") return `Say the unit: ${amount}MB or ${amount}GB?`;
  const unit = /^(?:k|m|g)i?b?$/i.test(word) ? word.charAt(0).toUpperCase() : undefined;
  return unit === undefined ? undefined : `Did you mean ${amount}${unit}B?`;
}

function numberHint(found: string): string | undefined {
  const digits = found.replaceAll(/[_, ]/g, "");
  return /^\d+(?:\.\d+)?$/.test(digits) ? `Write it without quotes: ${digits}.` : undefined;
}

/** Falls back on what the setting, or the one that holds it, is for. */
function example(key: string, chain: SchemaChain, holders: readonly SchemaChain[]): string {
  const preset = defaultOf(chain);
  const first = ["string", "number", "boolean"].includes(typeof preset) && preset !== "";
  const without = acceptsNull(chain) ? ", or null for none" : "";
  const meaning = [chain, ...holders].map(meaningOf).find((text) => text !== undefined);
  if (first) return `For example: ${key}: ${String(preset)}${without}.`;
  if (meaning !== undefined) return `${meaning}${acceptsNull(chain) ? " Or null, for none." : ""}`;
  const keys = keysOf(chain);
  return keys.length > 0 ? `Known here: ${keys.join(", ")}.` : `It takes ${kindOf(chain)}.`;
}

function kindOf(chain: SchemaChain): string {
  const type = chain.map((each) => definitionOf(each).type).at(-1) ?? "";
  return TYPE_NAMES[type] ?? "another kind of value";
}

export const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: "text",
  int: "a whole number",
  number: "a number",
  boolean: "true or false",
  object: "keys with values",
  record: "keys with values",
  array: "a list",
};
