import fc from "fast-check";
import { expect, test } from "vitest";
import { oneLine, printable } from "./printable.ts";

test.each([
  ["\u001b[31mred\u001b[0m", "red"],
  ["\u001b]0;title\u0007text", "text"],
  ["\u001b]8;;http://x\u001b\\link", "link"],
  ["a\u0000b\u0008c", "abc"],
  ["line\r\nnext", "line\nnext"],
  ["\u202egnp.exe", "gnp.exe"],
  ["a\u2028b", "ab"],
  ["\u009b31mx", "31mx"],
  ["tab\tstays\n", "tab\tstays\n"],
  ["ä 🙂 漢", "ä 🙂 漢"],
])("%j is printed as %j", (text, shown) => {
  expect(printable(text)).toBe(shown);
});

test("nothing that steers a terminal is ever printed", () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom(
          "\u001b",
          "[",
          "]",
          "0",
          "m",
          "\u0007",
          "\n",
          "x",
          "\u009b",
          "\\",
          "\u202e",
        ),
      }),
      (text) => {
        expect(Array.from(printable(text)).filter(isSteering)).toEqual([]);
      },
    ),
  );
});

test("a line is cut between characters, never inside one", () => {
  expect(oneLine("a\nb   c", 80)).toBe("a b c");
  expect(oneLine("🙂🙂🙂🙂", 3)).toBe("🙂🙂…");
  expect(oneLine("abc", 3)).toBe("abc");
});

/** Control characters but for tab and line feed, and what ends lines or turns the writing direction. */
function isSteering(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  const isControl = code < 0x20 || (code >= 0x7f && code < 0xa0);
  return (isControl && code !== 9 && code !== 10) || (code >= 0x2028 && code <= 0x202e);
}
