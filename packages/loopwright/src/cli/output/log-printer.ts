import { StringDecoder } from "node:string_decoder";
import { ESCAPE, printable } from "../../read-api/words/printable.ts";

/** Longer ones are printed without their beginning being understood. */
const LONGEST_SEQUENCE = 64;

/**
 * Prints chunks of an agent's output with back pressure. On a terminal escape sequences and control characters are left
 * out, also where one is cut between two chunks.
 */
export function createPrinter(raw: boolean): (chunk: Buffer) => Promise<void> {
  const decoder = new StringDecoder("utf8");
  let held = "";
  return async (chunk) => {
    if (raw) return await write(chunk);
    const text = held + decoder.write(chunk);
    const end = endOfWhole(text);
    held = text.slice(end);
    await write(printable(text.slice(0, end).replace(/\r\n?/g, "\n")));
  };
}

/** Where an escape sequence begins that isn't all there yet, else the end. */
function endOfWhole(text: string): number {
  // A line feed may follow, and the two are one.
  if (text.endsWith("\r")) return text.length - 1;
  const start = text.lastIndexOf(ESCAPE);
  const isWhole = start === -1 || WHOLE_SEQUENCE.test(text.slice(start));
  return isWhole || text.length - start > LONGEST_SEQUENCE ? text.length : start;
}

/** Up to its last character: a letter or the like, for an operating system command the bell or another escape. */
const WHOLE_SEQUENCE = new RegExp(
  `^${ESCAPE}(?:\\[[0-?]*[ -/]*[@-~]|\\][^\\u0007]*\\u0007|[@-Z\\\\^_]|[^[\\]@-Z\\\\^_])`,
);

function write(data: string | Buffer): Promise<void> {
  return new Promise((resolve) => {
    if (process.stdout.write(data)) resolve();
    else process.stdout.once("drain", resolve);
  });
}
