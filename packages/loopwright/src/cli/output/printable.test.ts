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
    fc.property(fc.string({ unit: fc.constantFrom("\u001b", "[", "]", "0", "m", "\u0007", "\n", "x", "\u009b", "\\", "\u202e") }), (text) => {
      // oxlint-disable-next-line no-control-regex
      expect(printable(text)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e]/);
    }),
  );
});

test("a line is cut between characters, never inside one", () => {
  expect(oneLine("a\nb   c", 80)).toBe("a b c");
  expect(oneLine("🙂🙂🙂🙂", 3)).toBe("🙂🙂…");
  expect(oneLine("abc", 3)).toBe("abc");
});
