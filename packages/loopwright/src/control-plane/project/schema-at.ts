import type { ZodType } from "zod";

interface Definition {
  readonly type: string;
  readonly shape?: Record<string, ZodType>;
  readonly innerType?: ZodType;
  readonly keyType?: ZodType;
  readonly valueType?: ZodType;
  readonly element?: ZodType;
  readonly in?: ZodType;
  readonly options?: readonly ZodType[];
  readonly defaultValue?: unknown;
}

/** What a schema says at one place: it and everything that it wraps, the outermost first. */
export type SchemaChain = readonly ZodType[];

/** The schema of the value at a path; empty where the schema names none. */
export function schemaAt(schema: ZodType, path: readonly PropertyKey[]): SchemaChain {
  let chain = chainOf(schema);
  for (const key of path) {
    const next = chain.flatMap((each) => [each, ...(definitionOf(each).options ?? [])]).map(below);
    const found = next.map((step) => step(key)).find((inner) => inner !== undefined);
    if (found === undefined) return [];
    chain = chainOf(found);
  }
  return chain;
}

/** The keys that an object may have here; empty where the schema names none. */
export function keysOf(chain: SchemaChain): string[] {
  return chain.flatMap((each) => Object.keys(definitionOf(each).shape ?? {}));
}

/** What it means, in a sentence. */
export function meaningOf(chain: SchemaChain): string | undefined {
  return chain.map(({ description }) => description).find((text) => text !== undefined);
}

/** Its default as people would write it, or undefined. */
export function defaultOf(chain: SchemaChain): unknown {
  return chain.map((each) => definitionOf(each).defaultValue).find((value) => value !== undefined);
}

/** Whether the schema here is this one, or one that was made of it by describing it. */
export function isOf(chain: SchemaChain, schema: ZodType): boolean {
  // oxlint-disable-next-line no-underscore-dangle -- zod's name for what a described schema was made of
  return chain.some((each) => each === schema || each._zod.parent === schema);
}

export function acceptsNull(chain: SchemaChain): boolean {
  return chain.some((each) => definitionOf(each).type === "nullable");
}

/** A schema and what stands inside its defaults, optionals and transformations. */
export function chainOf(schema: ZodType): ZodType[] {
  const chain = [schema];
  for (;;) {
    const { innerType, in: input } = definitionOf(chain.at(-1) as ZodType);
    const inner = innerType ?? input;
    if (inner === undefined) return chain;
    chain.push(inner);
  }
}

export function definitionOf(schema: ZodType): Definition {
  return schema.def;
}

function below(schema: ZodType): (key: PropertyKey) => ZodType | undefined {
  const { shape, valueType, element } = definitionOf(schema);
  return (key) => shape?.[String(key)] ?? valueType ?? element;
}
