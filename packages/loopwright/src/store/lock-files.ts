import { lstatSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { LoopwrightError, processIdentity } from "@loopwright/protocol";
import { z } from "zod";
import { errorCode } from "./disk-error.ts";
import { readJsonIfPresent } from "./read.ts";

/** Content of `<base>.<epoch>`: complete from its first moment on, never changed. */
export const lockFile = z.object({
  schema_version: z.literal(1),
  epoch: z.int().positive(),
  holder: processIdentity,
  taken_at: z.string(),
  purpose: z.enum(["goal", "checkout", "file"]),
  goal_id: z.string(),
});

export type LockFile = z.infer<typeof lockFile>;

/** The names of a lock's files. `<base>.<epoch>.released` says by existing that the epoch's holder gave up; it is empty. */
export interface LockNames {
  readonly directory: string;
  path(epoch: number): string;
  released(epoch: number): string;
  /** Complete lock files that are about to be linked. */
  candidate(unique: string): string;
  /** Epochs that exist, ascending, and the candidates that lie about. */
  list(): { epochs: number[]; candidates: string[] };
}

export function lockNames(base: string): LockNames {
  const directory = dirname(base);
  const name = basename(base);
  return {
    directory,
    path: (epoch) => `${base}.${epoch}`,
    released: (epoch) => `${base}.${epoch}.released`,
    candidate: (unique) => join(directory, `.${name}.${unique}.candidate`),
    list: () => sortNames(readNames(directory), name, directory),
  };
}

/** Throws FILE_INVALID: a lock that can't be read is never taken for no lock. */
export function readLockFile(path: string, epoch: number): LockFile | undefined {
  try {
    return readJsonIfPresent(path, lockFile);
  } catch (error) {
    if (!(error instanceof LoopwrightError)) throw error;
    throw new LoopwrightError(error.code, error.message, {
      where: path,
      cause: error,
      hint: `When surely nothing of this goal runs any more, create an empty file ${basename(path)}.released beside it (lock ${epoch}).`,
    });
  }
}

/** Whether something has this name. An answer that can't be had is an error, never a no. */
export function exists(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw new LoopwrightError("DISK_FAILED", `${path} can't be looked at (${errorCode(error)})`, {
      where: path,
      cause: error,
    });
  }
}

function readNames(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw new LoopwrightError("DISK_FAILED", `${directory} can't be read (${errorCode(error)})`, {
      where: directory,
      cause: error,
    });
  }
}

function sortNames(
  names: string[],
  name: string,
  directory: string,
): ReturnType<LockNames["list"]> {
  const epochs: number[] = [];
  const candidates: string[] = [];
  for (const each of names) {
    if (each.startsWith(`.${name}.`) && each.endsWith(".candidate")) {
      candidates.push(join(directory, each));
    }
    const suffix = each.startsWith(`${name}.`) ? each.slice(name.length + 1) : "";
    if (/^[1-9]\d{0,14}$/.test(suffix)) epochs.push(Number(suffix));
  }
  return { epochs: epochs.sort((a, b) => a - b), candidates };
}
