import type { ZodType } from "zod";

interface Definition {
  readonly type: string;
  readonly shape?: Record<string, ZodType>;
  readonly innerType?: ZodType;
  readonly valueType?: ZodType;
  readonly element?: ZodType;
  readonly in?: ZodType;
  readonly options?: readonly ZodType[];
}

/** The keys that an object of the schema may have at a path; empty where the schema names none. */
export function knownKeys(schema: ZodType, path: readonly PropertyKey[]): string[] {
  let here: ZodType | undefined = schema;
  for (const key of path) {
    if (here === undefined) return [];
    const definition = definitionOf(here);
    here = definition.shape?.[String(key)] ?? definition.valueType ?? definition.element;
  }
  return here === undefined ? [] : Object.keys(definitionOf(here).shape ?? {});
}

/** What stands inside defaults, optionals and transformations. */
function definitionOf(schema: ZodType): Definition {
  let definition = schema.def as unknown as Definition;
  for (;;) {
    const inner = definition.innerType ?? definition.in;
    if (inner === undefined) return definition;
    definition = inner.def;
  }
}
