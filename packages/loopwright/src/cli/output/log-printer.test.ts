import { afterEach, expect, test, vi } from "vitest";
import { createPrinter } from "./log-printer.ts";

afterEach(() => vi.restoreAllMocks());

/** What arrives on stdout when the text comes in pieces of that many bytes. */
async function printed(text: string, size: number, raw = false): Promise<string> {
  let out = "";
  vi.spyOn(process.stdout, "write").mockImplementation((data) => {
    out += String(data);
    return true;
  });
  const print = createPrinter(raw);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) await print(bytes.subarray(at, at + size));
  return out;
}

test.each([1, 2, 3, 7, 100])(
  "what steers a terminal is left out, also in pieces of %i bytes",
  async (size) => {
    const text = "\u001b[1;31mred\u001b[0m ä🙂\r\n\u001b]0;title\u0007end\u0000\n";
    expect(await printed(text, size)).toBe("red ä🙂\nend\n");
  },
);

test("raw bytes are printed as they are", async () => {
  expect(await printed("\u001b[31mx", 2, true)).toBe("\u001b[31mx");
});

test("an escape that never ends holds back no more than a screen line", async () => {
  const out = await printed(`before\u001b]${"x".repeat(500)}`, 10);
  expect(out.length).toBeGreaterThan(400);
});
