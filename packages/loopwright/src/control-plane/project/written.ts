/** A value of a file as keys with values; none where it is something else. */
export function keyed(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}

/** The texts of a list with their places in it, also where others in it are wrong. */
export function textsOf(value: unknown): [index: number, text: string][] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return [...list.entries()].filter(
    (entry): entry is [number, string] => typeof entry[1] === "string",
  );
}
