import { expect, test } from "vitest";
import { createProgram } from "../program.ts";

const parse = (...words: string[]): Promise<unknown> =>
  createProgram({ exitCode: 0 }).parseAsync(words, { from: "user" });

test("a hyphen in a text that isn't quoted comes with the way out", async () => {
  await expect(parse("update", "Use", "a", "-x", "flag")).rejects.toMatchObject({
    code: "commander.unknownOption",
    message: expect.stringMatching(/unknown option '-x'\nPut the text in quotes: /),
  });
  await expect(parse("stop", "-x")).rejects.toMatchObject({
    message: "error: unknown option '-x'",
  });
});
