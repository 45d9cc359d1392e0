import { z } from "zod";

/** What a setting may say by its format, and this version doesn't do. */
export interface LaterChoices {
  readonly values: readonly string[];
  /** One sentence: the way on until then. */
  readonly instead: string;
}

/** Found with the schema that `choice` made, or one that was described since. */
export const laterChoices = z.registry<LaterChoices>();

/**
 * One of several words. Those of later versions are read, so that they are called by their name and never taken for
 * typing errors, and refused before anything starts.
 */
export function choice<const A extends string, const L extends string = never>(
  available: readonly A[],
  later?: { readonly values: readonly L[]; readonly instead: string },
): z.ZodEnum<z.core.util.ToEnum<A | L>> {
  const schema = z.enum([...available, ...(later?.values ?? [])]);
  if (later !== undefined) laterChoices.add(schema, later);
  return schema;
}
