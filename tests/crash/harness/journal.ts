import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** The journal as the oracle reads it: from the description in docs/internals/file-formats.md, not with the product's code. */
export interface Line {
  readonly seq: number;
  readonly epoch: number;
  readonly prev: string;
  readonly records: readonly Entry[];
  readonly sum: string;
}

export interface Entry {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Journal {
  /** In force. */
  readonly lines: readonly Line[];
  /** Written by a holder that had already been replaced. */
  readonly ignored: readonly Line[];
  /** Bytes behind the last newline. */
  readonly tail: number;
  /** What contradicts the format. */
  readonly faults: readonly string[];
}

export function readJournal(path: string): Journal {
  const bytes = readFileSync(path);
  const end = bytes.lastIndexOf(0x0a) + 1;
  const texts = bytes.subarray(0, end).toString().split("\n").slice(0, -1);
  const lines: Line[] = [];
  const ignored: Line[] = [];
  const faults: string[] = [];
  for (const [index, text] of texts.entries()) {
    const where = `line ${index + 1}`;
    const line = parse(text);
    if (typeof line === "string") {
      faults.push(`${where} ${line}`);
      continue;
    }
    const tip = lines.at(-1);
    if (tip !== undefined && line.epoch < tip.epoch) ignored.push(line);
    else if (line.prev === (tip?.sum ?? "")) lines.push(line);
    else if (tip !== undefined && line.epoch > tip.epoch) {
      const folded = lines.findLastIndex(({ sum }) => sum === line.prev);
      if (folded < 0) faults.push(`${where} continues a line that isn't there`);
      ignored.push(...lines.splice(folded + 1));
      lines.push(line);
    } else faults.push(`${where} does not continue the line before it`);
    if (line === lines.at(-1) && line.seq !== lines.length)
      faults.push(`${where} has number ${line.seq} and is the ${lines.length}th`);
  }
  return { lines, ignored, tail: bytes.length - end, faults };
}

function parse(text: string): Line | string {
  const cut = text.lastIndexOf(',"sum":"');
  const sum = createHash("sha256")
    .update(`${text.slice(0, cut)}}`)
    .digest("hex")
    .slice(0, 16);
  try {
    const line = JSON.parse(text) as Line;
    return line.sum === sum ? line : "does not match its sum";
  } catch {
    return "is not JSON";
  }
}
