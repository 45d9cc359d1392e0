import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const page = readFileSync(new URL("../../docs/internals/crash-matrix.md", import.meta.url), "utf8");

/** The last column of every table: `file: test`, several with a dot in between. */
const named = page
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| ---"))
  .map((line) => line.split("|").at(-2)?.trim() ?? "")
  .filter((cell) => cell !== "tested by")
  .flatMap((cell) => cell.split(" · "));

describe("the crash matrix", () => {
  test("names a test in every row", () => {
    expect(named.length).toBeGreaterThan(30);
    for (const name of named) expect(name).toMatch(/^[a-z-]+: \S/);
  });

  test.each(named)("names a test that exists: %s", (name) => {
    const [file = "", title = ""] = name.split(/: (.*)/s);
    const path = new URL(`./${file}.test.ts`, import.meta.url);
    expect(existsSync(path), `tests/crash/${file}.test.ts`).toBe(true);
    expect(
      titlesIn(readFileSync(path, "utf8")).some((found) => fits(found, title)),
      title,
    ).toBe(true);
  });
});

function titlesIn(source: string): string[] {
  return [...source.matchAll(/\btest(?:\.skipIf\([^)]*\))?\(\s*(["`])(.*?)\1,/gs)].map(
    ([, , title = ""]) => title,
  );
}

/** What a title computes may be anything, and may be left out at its end. */
function fits(found: string, title: string): boolean {
  const parts = found
    .split(/\$\{.*?\}/)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return (
    new RegExp(`^${parts.join(".*")}$`).test(title) ||
    (parts.length > 1 && title !== "" && found.startsWith(title))
  );
}
