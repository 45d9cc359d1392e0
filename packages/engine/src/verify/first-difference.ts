export interface Difference {
  readonly path: string;
  readonly expected: string;
  readonly found: string;
}

/** Where two JSON values part, depth first; null if they are equal. A field that is `undefined` is an absent one. */
export function firstDifference(expected: unknown, found: unknown, path = ""): Difference | null {
  if (Object.is(expected, found)) return null;
  if (!isObject(expected) || !isObject(found) || Array.isArray(expected) !== Array.isArray(found)) {
    return { path: path === "" ? "value" : path, expected: show(expected), found: show(found) };
  }
  for (const key of new Set([...Object.keys(expected), ...Object.keys(found)])) {
    const difference = firstDifference(
      expected[key],
      found[key],
      path === "" ? key : `${path}.${key}`,
    );
    if (difference !== null) return difference;
  }
  return null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function show(value: unknown): string {
  const text = value === undefined ? "absent" : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
