import { randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";

/**
 * Called before each durable operation with its name. Does nothing in the product; a test ends the process there or
 * throws. Kept apart from the store's disk because the shim must start fast and stand alone.
 */
export type Step = (name: string) => void;

export const noStep: Step = () => {};

/**
 * Creates `path` with this content if nothing is there, else leaves it: `false`. A reader sees the whole content or no
 * file. The exclusive act is `link`, which fails on anything that exists, a symbolic link included.
 * A crash between link and unlink leaves a second name beside it, which nobody reads.
 */
export function createRecord(path: string, content: object, step: Step = noStep): boolean {
  const temporary = writeTemporary(path, content, step);
  try {
    step("link");
    linkSync(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    unlinkSync(temporary);
  }
  syncDirectory(path, step);
  return true;
}

/** Replaces `path` atomically and durably. */
export function writeRecord(path: string, content: object, step: Step = noStep): void {
  const temporary = writeTemporary(path, content, step);
  try {
    step("rename");
    renameSync(temporary, path);
  } catch (error) {
    unlinkSync(temporary);
    throw error;
  }
  syncDirectory(path, step);
}

function writeTemporary(path: string, content: object, step: Step): string {
  const temporary = `${path}.${process.pid}-${randomBytes(6).toString("hex")}.tmp`;
  step("create");
  const file = openSync(temporary, "wx", 0o600);
  try {
    step("write");
    writeSync(file, `${JSON.stringify(content, undefined, 2)}\n`);
    step("sync");
    fsyncSync(file);
  } catch (error) {
    unlinkSync(temporary);
    throw error;
  } finally {
    closeSync(file);
  }
  return temporary;
}

function syncDirectory(path: string, step: Step): void {
  step("sync directory");
  const directory = openSync(dirname(path), "r");
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
