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
    tellIfNothing(context, await readOn(files.output, 0, print));
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
  const offsets = new Map<string, number>();
  for (;;) {
    const over = !follow || existsSync(files.exit) || existsSync(files.result);
    for (const path of [files.stdoutRaw, files.stderrRaw]) {
      offsets.set(path, await readOn(path, offsets.get(path) ?? 0, print));
    }
    if (over) {
      tellIfNothing(context, Math.max(...offsets.values()));
      return 0;
    }
    await context.seams.clock.sleep(LOOK_EVERY_MS);
  }
}

/** Not on stdout, where only the agent's own words go. */
function tellIfNothing({ output }: Context, printed: number): void {
  if (printed === 0) output.progress("(no output)");
}

/** Prints what a file has from an offset on, and returns where it ended. */
async function readOn(
  path: string,
  from: number,
  print: (chunk: Buffer) => Promise<void>,
): Promise<number> {
  let offset = from;
  let fd: number;
  try {
    fd = openSync(path, "r");
  } catch {
    return offset;
  }
  try {
    const { size } = fstatSync(fd);
    const buffer = Buffer.allocUnsafe(CHUNK);
    while (offset < size) {
      const read = readSync(fd, buffer, 0, Math.min(CHUNK, size - offset), offset);
      if (read === 0) break;
      offset += read;
      await print(Buffer.from(buffer.subarray(0, read)));
    }
    return offset;
  } finally {
    closeSync(fd);
  }
}
