import type { core, ZodType } from "zod";

/** Each round removes something, so that this is never reached by what a person writes. */
const MOST_ROUNDS = 100;

/**
 * What is left of a value when everything that a schema objects to is taken out; undefined when nothing useful is.
 * Only for finding further problems: mistakes in one place must not hide those in another.
 * @param standIns what takes the place of keys that must be there and aren't, or were taken out
 */
export function draftOf<T>(
  value: unknown,
  schema: ZodType<T>,
  standIns: Readonly<Record<string, unknown>> = {},
): T | undefined {
  const rest: unknown = structuredClone(value);
  const complete = (): void => {
    if (!isKeyed(rest)) return;
    for (const [key, standIn] of Object.entries(standIns)) {
      if (!Object.hasOwn(rest, key)) rest[key] = standIn;
    }
  };
  complete();
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const parsed = schema.safeParse(rest);
    if (parsed.success) return parsed.data;
    // Two may be about the same thing, of which the first has taken out all.
    const taken = parsed.error.issues.map((issue) => takeOut(rest, issue));
    if (!taken.includes(true)) return undefined;
    complete();
  }
  return undefined;
}

function takeOut(value: unknown, issue: core.$ZodIssue): boolean {
  if (issue.code !== "unrecognized_keys") return removeAt(value, issue.path);
  const holder = valueAt(value, issue.path);
  if (!isKeyed(holder)) return false;
  for (const key of issue.keys) delete holder[key];
  return true;
}

/** What is missing can't be removed; what holds it can. Lists go as a whole, so that no index shifts. */
function removeAt(value: unknown, path: readonly PropertyKey[]): boolean {
  for (let length = path.length; length > 0; length -= 1) {
    const holder = valueAt(value, path.slice(0, length - 1));
    const key = path[length - 1] as string;
    if (!isKeyed(holder) || !Object.hasOwn(holder, key)) continue;
    delete holder[key];
    return true;
  }
  return false;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let here = value;
  for (const key of path) here = (here as Record<PropertyKey, unknown> | null | undefined)?.[key];
  return here;
}

function isKeyed(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
