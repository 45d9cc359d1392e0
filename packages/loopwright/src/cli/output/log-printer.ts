import { StringDecoder } from "node:string_decoder";
import { printable } from "./printable.ts";

/**
 * Prints chunks of an agent's output with back pressure. On a terminal escape sequences and control characters are left
 * out, also where one is cut between two chunks.
 */
export function createPrinter(raw: boolean): (chunk: Buffer) => Promise<void> {
  const decoder = new StringDecoder("utf8");
  let held = "";
  return async (chunk) => {
    if (raw) return await write(chunk);
    const text = held + decoder.write(chunk);
    const escape = text.lastIndexOf("\u001b");
    const cut = escape !== -1 && text.length - escape < 64 && !/[@-Z\\^_`a-z{|}~\u0007]/.test(text.slice(escape + 2)) ? escape : text.length;
    held = text.slice(cut);
    await write(printable(text.slice(0, cut).replace(/\r\n?/g, "\n")));
  };
}

function write(data: string | Buffer): Promise<void> {
  return new Promise((resolve) => {
    if (process.stdout.write(data)) resolve();
    else process.stdout.once("drain", resolve);
  });
}
