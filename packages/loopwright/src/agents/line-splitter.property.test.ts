import fc from "fast-check";
import { expect, test } from "vitest";
import { createLineSplitter, type Line } from "./line-splitter.ts";

function split(
  bytes: Buffer,
  sizes: readonly number[],
  longest?: number,
  keptEnd?: number,
): Line[] {
  const splitter = createLineSplitter(longest, keptEnd);
  const lines: Line[] = [];
  let start = 0;
  for (const size of sizes) {
    lines.push(...splitter.push(bytes.subarray(start, start + size)));
    start += size;
  }
  return [...lines, ...splitter.push(bytes.subarray(start)), ...splitter.end()];
}

const SIZES = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 30 });

test("lines don't depend on how the bytes come, valid UTF-8 or not", () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 400 }).map((data) => Buffer.from(data)),
    fc
      .array(fc.constantFrom("a", "\n", "é", "\u{1F600}", "\r"), { maxLength: 200 })
      .map((parts) => Buffer.from(parts.join(""))),
  );
  fc.assert(
    fc.property(bytes, SIZES, (data, sizes) => {
      const lines = split(data, sizes);
      const expected = new TextDecoder("utf-8", { ignoreBOM: true }).decode(data).split("\n");
      const text = lines
        .map(({ text: line, complete }) => (complete ? `${line}\n` : line))
        .join("");
      expect(text.replaceAll("\uFEFF", "")).toBe(expected.join("\n").replaceAll("\uFEFF", ""));
      expect(lines.slice(0, -1).every(({ complete }) => complete)).toBe(true);
    }),
  );
});

test("an endless line keeps its begin and its end with a mark, and no halved character", () => {
  fc.assert(
    fc.property(fc.integer({ min: 60, max: 400 }), SIZES, (count, sizes) => {
      const [line] = split(Buffer.from("\u{1F600}".repeat(count)), sizes, 100, 30);
      expect(line?.text).toMatch(/^(?:\u{1F600})+… \[\d+ bytes cut\] …(?:\u{1F600})+$/u);
    }),
  );
});
