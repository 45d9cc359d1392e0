import { expect } from "vitest";
import { callAll } from "./account.ts";
import type { Called, Scratch } from "./scratch.ts";
import { snapshotOf } from "./snapshot.ts";

/** The text of the file that stands where the mistake is told ("" for the whole file, null for anywhere in it), and what is said. */
export type Mistake = readonly [at: string | null, says: RegExp];

/** Validates with this file, expects exactly these errors at their places, and that nothing was made. */
export async function expectMistakes(
  room: Scratch,
  files: Readonly<Record<string, string>>,
  errors: Readonly<Record<string, readonly Mistake[]>>,
): Promise<void> {
  for (const [name, text] of Object.entries(files)) room.write(name, text);
  const before = snapshotOf(room.repository, room.runtimeRoot, room.home);
  const [validate] = (await callAll(room, [["validate"]])) as [Called];
  expect(snapshotOf(room.repository, room.runtimeRoot, room.home)).toEqual(before);
  expect(validate.code).toBe(5);
  expectWaysOut(validate.stdout);
  const lines = validate.stdout.split("\n").filter((line) => line.startsWith("error "));
  const expected = Object.entries(errors).flatMap(([name, mistakes]) =>
    mistakes.map(([at, says]) => ({ place: placeOf(name, files[name] ?? "", at), says })),
  );
  for (const { place, says } of expected) {
    const there = lines.filter((line) => line.startsWith(`error ${place}`));
    expect({ place, said: there.join("\n") }).toEqual({ place, said: expect.stringMatching(says) });
  }
  expect(
    lines.filter((line) => !expected.some(({ place }) => line.startsWith(`error ${place}`))),
  ).toEqual([]);
}

/** Every problem says what to do about it, in its line or in the next. */
export function expectWaysOut(said: string): void {
  const lines = said.split("\n");
  const without = lines.filter(
    (line, index) =>
      /^(?:error|warning) /.test(line) &&
      !/did you mean/.test(line) &&
      !/^ {8}\S/.test(lines[index + 1] ?? ""),
  );
  expect(without).toEqual([]);
}

/** What an error of this text begins with: `file:line:column `. */
export function placeOf(name: string, text: string, at: string | null): string {
  if (at === null) return `${name}:`;
  const offset = text.indexOf(at);
  if (offset < 0) throw new Error(`${JSON.stringify(at)} isn't in ${name}`);
  if (at === "") return `${name} `;
  const before = text.slice(0, offset).split("\n");
  return `${name}:${before.length}:${(before.at(-1) ?? "").length + 1} `;
}
