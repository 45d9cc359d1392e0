const WORD = /[\p{L}\p{N}\p{M}_]/u;
const LETTER = /[\p{L}_]/u;
const DIGIT = /\p{N}/u;

/**
 * Takes punctuation from both ends and leaves what belongs to a name: `.env`, `/etc`, `--force`, `-5`, `@scope`, `*.ts`,
 * `src/**`. A `!` before a name negates it.
 */
export function trimWord(part: string): { word: string; negated: boolean } {
  if (/^(?:\p{S}|!=+|[<>]=|->|=>|<-)$/u.test(part)) {
    return { word: /^[`´¨]$/u.test(part) ? "" : part, negated: false };
  }
  if (part === "&") return { word: part, negated: false };
  const characters = Array.from(part);
  const end = endOf(characters);
  let negated = false;
  let start = 0;
  while (start < end && !startsName(characters, start)) {
    if (characters[start] === "!" && WORD.test(characters[start + 1] ?? "")) negated = true;
    start += 1;
  }
  const word = characters.slice(start, end).join("");
  return { word: word.startsWith("./") ? word.slice(2) : word, negated };
}

function endOf(characters: readonly string[]): number {
  const pattern = characters.includes("/") || (characters[0] === "*" && characters[1] === ".");
  let end = characters.length;
  while (end > 0) {
    const last = characters[end - 1] ?? "";
    if (WORD.test(last) || last === "%") break;
    if ("+#".includes(last) && WORD.test(characters[end - 2] ?? "")) break;
    if (last === "+" && characters[end - 2] === "+" && WORD.test(characters[end - 3] ?? "")) break;
    if (last === "*" && pattern && "/*.".includes(characters[end - 2] ?? "-")) break;
    end -= 1;
  }
  return end;
}

function startsName(characters: readonly string[], at: number): boolean {
  const [first = "", next = "", third = ""] = characters.slice(at, at + 3);
  if (WORD.test(first)) return true;
  switch (first) {
    case ".":
      return WORD.test(next) || next === "/" || (next === "." && third === "/");
    case "/":
    case "@":
    case "\\":
      return WORD.test(next) || next === ".";
    case "#":
      return LETTER.test(next);
    case "-":
      if (characters[at - 1] === "-") return false;
      return DIGIT.test(next) || LETTER.test(next) || (next === "-" && LETTER.test(third));
    case "*":
      return next === "." || next === "/" || (next === "*" && third === "/");
    case "~":
      return next === "/";
    case "%":
      return WORD.test(next) || characters.length === 1;
    default:
      return false;
  }
}
