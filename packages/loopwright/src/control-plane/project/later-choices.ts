import { laterChoices, type Problem } from "@loopwright/protocol";
import type { ZodType } from "zod";
import { chainOf, definitionOf, type SchemaChain } from "./schema-at.ts";

type Path = readonly PropertyKey[];

/** Words that the format knows and this version doesn't do, wherever they stand in a value. */
export function laterProblems(
  schema: ZodType,
  value: unknown,
  place: (path: Path) => string,
): Problem[] {
  return [...laterIn(chainOf(schema), value, [])].map(({ path, word, instead }) => ({
    severity: "error",
    where: place(path),
    message: `${nameOf(path)}: ${JSON.stringify(word)} is not available in this version`,
    hint: instead,
  }));
}

/** What later versions add to a choice, or undefined where it is whole. */
export function laterOf(
  chain: SchemaChain,
): { values: readonly string[]; instead: string } | undefined {
  return chain.map((each) => laterChoices.get(each)).find((later) => later !== undefined);
}

function* laterIn(
  chain: SchemaChain,
  value: unknown,
  path: Path,
): Generator<{ path: Path; word: string; instead: string }> {
  const later = laterOf(chain);
  if (later !== undefined && typeof value === "string" && later.values.includes(value))
    yield { path, word: value, instead: later.instead };
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    for (const { shape, valueType, element } of chain.map(definitionOf)) {
      const next = Array.isArray(value) ? element : (shape?.[key] ?? valueType);
      if (next !== undefined) yield* laterIn(chainOf(next), inner, [...path, key]);
    }
  }
}

function nameOf(path: Path): string {
  return path.map(String).join(".");
}
