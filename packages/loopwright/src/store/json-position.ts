/**
 * Where a text stops being JSON; JSON.parse names the place only for some errors. Line and column from 1. For text
 * that is valid, the position after its end.
 */
export function jsonErrorPosition(text: string): { line: number; column: number } {
  const offset = firstBadOffset(text);
  const before = text.slice(0, offset);
  const line = before.split("\n").length;
  return { line, column: offset - before.lastIndexOf("\n") };
}

const SPACE = /[ \t\r\n]*/y;
const PUNCTUATION = /([{}[\],:])/;
const STRING = /("[^"\\]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\]*)*")/;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/;
const TOKEN = new RegExp(`${PUNCTUATION.source}|${STRING.source}|${SCALAR.source}`, "y");

type Expected = "value" | "value or ]" | "key" | "key or }" | "colon" | "comma or end";

function firstBadOffset(text: string): number {
  const open: ("{" | "[")[] = [];
  let expected: Expected = "value";
  let offset = 0;
  for (;;) {
    SPACE.lastIndex = offset;
    SPACE.test(text);
    const start = SPACE.lastIndex;
    TOKEN.lastIndex = start;
    const match = TOKEN.exec(text);
    if (match === null) return start;
    const next = step(expected, match, open);
    if (next === undefined) return start;
    const control = firstControlCharacter(match[0]);
    if (control !== -1) return start + control;
    expected = next;
    offset = TOKEN.lastIndex;
  }
}

/** What may follow this token, or undefined when it may not stand here. */
function step(
  expected: Expected,
  [, punctuation, string]: RegExpExecArray,
  open: ("{" | "[")[],
): Expected | undefined {
  const wantsValue = expected === "value" || expected === "value or ]";
  const wantsKey = expected === "key" || expected === "key or }";
  if (string !== undefined) {
    if (wantsKey) return "colon";
    return wantsValue ? "comma or end" : undefined;
  }
  if (punctuation === undefined) return wantsValue ? "comma or end" : undefined;
  switch (punctuation) {
    case "{":
      return wantsValue && open.push("{") ? "key or }" : undefined;
    case "[":
      return wantsValue && open.push("[") ? "value or ]" : undefined;
    case "}":
      if (expected !== "key or }" && expected !== "comma or end") return undefined;
      return open.pop() === "{" ? "comma or end" : undefined;
    case "]":
      if (expected !== "value or ]" && expected !== "comma or end") return undefined;
      return open.pop() === "[" ? "comma or end" : undefined;
    case ":":
      return expected === "colon" ? "value" : undefined;
    default: {
      const inside = open.at(-1);
      if (expected !== "comma or end" || inside === undefined) return undefined;
      return inside === "{" ? "key" : "value";
    }
  }
}

/** Inside a token only a string can have one, and JSON wants it escaped there. */
function firstControlCharacter(token: string): number {
  for (let k = 0; k < token.length; k += 1) {
    if (token.charCodeAt(k) < 0x20) return k;
  }
  return -1;
}
