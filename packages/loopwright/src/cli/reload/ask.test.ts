import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { ask } from "./ask.ts";

async function answered(text: string): Promise<boolean> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const answer = ask({ input, output }, "Take it?");
  input.end(text);
  return answer;
}

it.each(["y\n", "YES\n", " yes \n"])("takes %j for a yes", async (text) => {
  expect(await answered(text)).toBe(true);
});

it.each(["\n", "n\n", "yesterday\n", ""])("takes %j for a no", async (text) => {
  expect(await answered(text)).toBe(false);
});
