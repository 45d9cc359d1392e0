export interface Line {
  readonly text: string;
  /** False for a last line without a line end. */
  readonly complete: boolean;
}

export interface LineSplitter {
  push(chunk: Buffer): Line[];
  end(): Line[];
}

/** Bytes kept of a longer line: its beginning and its end, with a mark between. */
const LONGEST = 1024 * 1024;
const KEPT_END = 64 * 1024;
const NEWLINE = 0x0a;

/**
 * Cuts bytes into lines in bounded memory. Decoded leniently and per line, so that a character split over two chunks
 * is whole and only truly bad bytes become U+FFFD.
 */
export function createLineSplitter(
  longest: number = LONGEST,
  keptEnd: number = KEPT_END,
): LineSplitter {
  let open = openLine(longest, keptEnd);
  return {
    push(chunk) {
      const lines: Line[] = [];
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
        open.add(chunk.subarray(start, end));
        lines.push({ text: open.text(), complete: true });
        open = openLine(longest, keptEnd);
        start = end + 1;
      }
      if (start < chunk.length) open.add(chunk.subarray(start));
      return lines;
    },
    end() {
      if (open.length() === 0) return [];
      const line = { text: open.text(), complete: false };
      open = openLine(longest, keptEnd);
      return [line];
    },
  };
}

interface OpenLine {
  add(bytes: Buffer): void;
  length(): number;
  text(): string;
}

function openLine(longest: number, keptEnd: number): OpenLine {
  let length = 0;
  let held = 0;
  let parts: Buffer[] = [];
  let begin: Buffer | undefined;
  const joined = (): Buffer => (parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts));
  const shrink = (): void => {
    const all = joined();
    begin ??= all.subarray(0, longest - keptEnd);
    parts = [Buffer.from(all.subarray(all.length - keptEnd))];
    held = keptEnd;
  };
  return {
    add(bytes) {
      // A copy: the reader uses its buffer again.
      parts.push(Buffer.from(bytes));
      length += bytes.length;
      held += bytes.length;
      if (held > longest) shrink();
    },
    length: () => length,
    text() {
      if (begin === undefined) return new TextDecoder().decode(joined());
      const all = joined();
      const end = all.subarray(Math.max(0, all.length - keptEnd));
      const cut = length - begin.length - end.length;
      return `${decodeBegin(begin)}… [${cut} bytes cut] …${decodeEnd(end)}`;
    },
  };
}

/** Without the bytes of a character that the cut halved. */
function decodeBegin(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true });
}

function decodeEnd(bytes: Buffer): string {
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return new TextDecoder().decode(bytes.subarray(start));
}
