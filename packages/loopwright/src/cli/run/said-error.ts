/** What a process said before it died, as far as it can be understood. */
export interface SaidError {
  /** The error sentence, without its code; undefined when nothing was said. */
  readonly message: string | undefined;
  readonly hint: string | undefined;
}

/** Longer ones are cut. */
const LONGEST = 300;

/**
 * Finds in what a child wrote to stderr the sentence that it ended with: its own `error: … (CODE)` and `hint: …`, else
 * the error that Node printed above its stack, else the last line that isn't part of a stack.
 */
export function saidError(stderr: string): SaidError {
  const lines = stderr.split("\n").map((line) => line.trimEnd());
  const at = lines.findLastIndex((line) => line.startsWith("error: "));
  if (at !== -1) {
    const message = (lines[at] ?? "").slice("error: ".length).replace(/ \([A-Z_]+\)$/, "");
    const hint = lines.slice(at + 1).find((line) => line.startsWith("hint: "));
    return { message: cut(message), hint: hint?.slice("hint: ".length) };
  }
  const thrown = lines.findLast((line) =>
    /^(?:Uncaught )?(?:[A-Z]\w*)?(?:Error|Exception)\b.*: /.test(line),
  );
  const last = lines.findLast((line) => /^\S/.test(line) && !/^Node\.js v\d/.test(line));
  return { message: cut(thrown?.replace(/^Error: /, "") ?? last), hint: undefined };
}

function cut(text: string | undefined): string | undefined {
  if (text === undefined || text.length <= LONGEST) return text;
  return `${text.slice(0, LONGEST - 1)}…`;
}
