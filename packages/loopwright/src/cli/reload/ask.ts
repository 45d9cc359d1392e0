import { createInterface } from "node:readline/promises";

/** The terminal that a question goes to; undefined where nobody could answer. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

export function ownTerminal(): Terminal | undefined {
  const { stdin: input, stderr: output } = process;
  return input.isTTY && output.isTTY ? { input, output } : undefined;
}

/** Only `y` and `yes` are yes; an end of the input, or Ctrl-C, is no. */
export async function ask({ input, output }: Terminal, question: string): Promise<boolean> {
  const reader = createInterface({ input, output });
  const closed = new Promise<string>((resolve) => reader.once("close", () => resolve("")));
  try {
    const answer = await Promise.race([reader.question(`${question} [y/N] `), closed]);
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    reader.close();
  }
}
