import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import {
  exitRecord,
  type ExitRecord,
  LoopwrightError,
  processFile,
  type ProcessRecord,
  type WithdrawnRecord,
} from "@loopwright/protocol";

/** Both are written whole or not at all, so anything else at their place is damage, or an agent's doing. */
const SIZE_LIMIT = 64 * 1024;

/** `undefined`: no such file. Throws `FILE_INVALID` or `FILE_UNSAFE` if it isn't what a shim or recovery writes. */
export function readProcessFile(path: string): ProcessRecord | WithdrawnRecord | undefined {
  const value = readJson(path);
  if (value === undefined) return undefined;
  const parsed = processFile.safeParse(value);
  if (!parsed.success) throw invalid(path);
  return parsed.data;
}

/** As `readProcessFile`, for `exit.json`. */
export function readExitFile(path: string): ExitRecord | undefined {
  const value = readJson(path);
  if (value === undefined) return undefined;
  const parsed = exitRecord.safeParse(value);
  if (!parsed.success) throw invalid(path);
  return parsed.data;
}

function readJson(path: string): unknown {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    if (code === "ELOOP") throw unsafe(path);
    throw error;
  }
  try {
    const status = fstatSync(file);
    if (!status.isFile() || status.size > SIZE_LIMIT) throw unsafe(path);
    const buffer = Buffer.alloc(status.size);
    const length = readSync(file, buffer, 0, buffer.length, 0);
    return JSON.parse(buffer.toString("utf8", 0, length));
  } catch (error) {
    throw error instanceof SyntaxError ? invalid(path) : error;
  } finally {
    closeSync(file);
  }
}

function invalid(path: string): LoopwrightError {
  return new LoopwrightError(
    "FILE_INVALID",
    `${path} is not what the attempt's supervisor writes.`,
    {
      where: path,
      hint: "Move it aside and end the attempt with `loopwright stop --kill`.",
    },
  );
}

function unsafe(path: string): LoopwrightError {
  return new LoopwrightError("FILE_UNSAFE", `${path} is not a regular file of less than 64 KiB.`, {
    where: path,
    hint: "Move it aside and end the attempt with `loopwright stop --kill`.",
  });
}
