import { durationText, sizeText, slug } from "@loopwright/protocol";
import type { ZodType } from "zod";
import { laterOf } from "../../packages/loopwright/src/control-plane/project/later-choices.ts";
import {
  acceptsNull,
  chainOf,
  defaultOf,
  definitionOf,
  isOf,
  meaningOf,
  type SchemaChain,
} from "../../packages/loopwright/src/control-plane/project/schema-at.ts";

export interface FieldRow {
  /** `limits.max_iterations`, `agents.<name>.command`. */
  readonly path: string;
  readonly type: string;
  readonly preset: string;
  /** Empty where the schema doesn't say. */
  readonly meaning: string;
}

/** One row for each field of a file's schema, those with fields of their own before these. */
export function fieldRows(schema: ZodType, before = ""): FieldRow[] {
  const { shape, valueType } = definitionOf(chainOf(schema).at(-1) as ZodType);
  const fields = Object.entries(shape ?? {});
  if (valueType !== undefined && hasFields(valueType)) fields.push(["<name>", valueType]);
  return fields.flatMap(([name, field]) => {
    const path = before === "" ? name : `${before}.${name}`;
    const inner = fieldRows(field, path);
    const chain = chainOf(field);
    // A name of one's choice is told with what holds it.
    if (name === "<name>") return inner;
    const row = {
      path,
      type: typeOf(chain),
      preset: presetOf(chain),
      meaning: meaningOf(chain) ?? "",
    };
    return [row, ...inner];
  });
}

function hasFields(schema: ZodType): boolean {
  const { shape, valueType } = definitionOf(chainOf(schema).at(-1) as ZodType);
  return shape !== undefined || (valueType !== undefined && hasFields(valueType));
}

function typeOf(chain: SchemaChain): string {
  return `${bareTypeOf(chain)}${acceptsNull(chain) ? " or `null`" : ""}`;
}

function bareTypeOf(chain: SchemaChain): string {
  if (isOf(chain, durationText)) return "duration";
  if (isOf(chain, sizeText)) return "size";
  if (isOf(chain, slug)) return "name";
  const inner = chain.at(-1) as ZodType;
  const { type, element, options } = definitionOf(inner);
  switch (type) {
    case "string":
      return "text";
    case "boolean":
      return "`true` or `false`";
    case "number":
      return (inner.def as { check?: string }).check === "number_format"
        ? "whole number"
        : "number";
    case "enum":
      return words(chain, inner);
    case "array":
      return `list of ${element === undefined ? "anything" : pluralOf(bareTypeOf(chainOf(element)))}`;
    case "union":
      return (options ?? []).map((option) => bareTypeOf(chainOf(option))).join(", or ");
    default:
      return "keys";
  }
}

/** The words of this version. */
function words(chain: SchemaChain, inner: ZodType): string {
  const later = laterOf(chain)?.values ?? [];
  const all = Object.values((inner.def as unknown as { entries: Record<string, string> }).entries);
  const available = all.filter((word) => !later.includes(word)).map((word) => `\`${word}\``);
  return available.length === 0 ? "nothing yet" : available.join(", ");
}

function pluralOf(type: string): string {
  return type === "text" || type === "name" ? `${type}s` : type;
}

function presetOf(chain: SchemaChain): string {
  const preset = defaultOf(chain);
  if (preset === undefined) return isOptional(chain) ? "" : "*needed*";
  const isEmpty = typeof preset === "object" && preset !== null && Object.keys(preset).length === 0;
  if (isEmpty) return Array.isArray(preset) ? "`[]`" : "";
  if (preset === "") return "";
  const text = Array.isArray(preset) ? `[${preset.join(", ")}]` : preset;
  return `\`${text as string | number | boolean | null}\``;
}

function isOptional(chain: SchemaChain): boolean {
  return chain.some((each) => definitionOf(each).type === "optional");
}
