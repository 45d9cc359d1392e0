import { closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs";
import { LoopwrightError } from "@loopwright/protocol";
import type { Invocation } from "../catalogue/dispatch.ts";
import type { Context } from "../context.ts";
import { findIteration } from "../find-iteration.ts";
import { openSession } from "../open-session.ts";
import { createPrinter } from "../output/log-printer.ts";
import { findGoal } from "../target.ts";

interface LogsOptions {
  readonly follow?: boolean;
  readonly raw?: boolean;
}

const CHUNK = 64 * 1024;
const LOOK_EVERY_MS = 200;

/** `output.log`, or what the agent is printing while there is none yet. */
export async function run(context: Context, { args, options }: Invocation): Promise<number> {
  const { follow = false, raw = false } = options as LogsOptions;
  const target = findGoal(context);
  const opened = openSession(target, String(args[0]));
  const files = findIteration(opened, Number(args[1]));
  if (context.output.json) {
    context.output.document({
      session_id: opened.id,
      iteration: Number(args[1]),
      output: files.output,
      stdout: files.stdoutRaw,
      stderr: files.stderrRaw,
    });
    return 0;
  }
  const print = createPrinter(raw || !process.stdout.isTTY);
  if (existsSync(files.output)) {
    tellIfNothing(context, await printWhole(files.output, print));
    return 0;
  }
  if (!existsSync(files.stdoutRaw)) {
    if (!follow)
      throw new LoopwrightError(
        "ITERATION_NOT_FOUND",
        `Iteration ${String(args[1])} has printed nothing yet`,
        { hint: "Wait for it with: --follow" },
      );
  }
  // Held open, so that the last words are still read after the worker has put both together and removed them.
  const tails = [files.stdoutRaw, files.stderrRaw].map(tailFile);
  try {
    for (;;) {
      const over = !follow || existsSync(files.exit) || existsSync(files.result);
      for (const tail of tails) await tail.readOn(print);
      if (over) break;
      await context.seams.clock.sleep(LOOK_EVERY_MS);
    }
    const printed = Math.max(...tails.map((tail) => tail.offset()));
    // Over before the first look.
    tellIfNothing(context, printed > 0 ? printed : await printWhole(files.output, print));
    return 0;
  } finally {
    for (const tail of tails) tail.close();
  }
}

/** Not on stdout, where only the agent's own words go. */
function tellIfNothing({ output }: Context, printed: number): void {
  if (printed === 0) output.progress("(no output)");
}

type Print = (chunk: Buffer) => Promise<void>;

/** Prints all of a file, if it is there, and returns its size. */
async function printWhole(path: string, print: Print): Promise<number> {
  const tail = tailFile(path);
  try {
    await tail.readOn(print);
    return tail.offset();
  } finally {
    tail.close();
  }
}

interface Tail {
  /** Prints what came since the last time; nothing while the file isn't there. */
  readOn(print: Print): Promise<void>;
  /** Bytes printed. */
  offset(): number;
  close(): void;
}

function tailFile(path: string): Tail {
  let fd: number | undefined;
  let offset = 0;
  return {
    async readOn(print) {
      fd ??= openIfPresent(path);
      if (fd === undefined) return;
      const { size } = fstatSync(fd);
      const buffer = Buffer.allocUnsafe(CHUNK);
      while (offset < size) {
        const read = readSync(fd, buffer, 0, Math.min(CHUNK, size - offset), offset);
        if (read === 0) break;
        offset += read;
        await print(Buffer.from(buffer.subarray(0, read)));
      }
    },
    offset: () => offset,
    close() {
      if (fd !== undefined) closeSync(fd);
    },
  };
}

function openIfPresent(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch {
    return undefined;
  }
}
