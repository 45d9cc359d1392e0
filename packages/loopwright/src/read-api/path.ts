/** The parameters of a path, decoded, if it fits a pattern such as `/sessions/:id`; both in segments. */
export function parametersOf(
  pattern: readonly string[],
  path: readonly string[],
): string[] | undefined {
  if (pattern.length !== path.length) return undefined;
  const parameters: string[] = [];
  for (const [index, part] of pattern.entries()) {
    const found = path[index] ?? "";
    if (part.startsWith(":")) parameters.push(decode(found));
    else if (part !== found) return undefined;
  }
  return parameters;
}

/** What can't be decoded names nothing. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return "";
  }
}
