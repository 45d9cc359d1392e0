import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { dirname, join, sep } from "node:path";
import { errorCode } from "../store/index.ts";

/**
 * Moves whatever stands at `place`, of any kind and unopened, under its relative path into `aside`. Returns where it
 * lies now, relative to `aside`.
 */
export function moveAside(place: Buffer | string, path: string, aside: string): string {
  for (let attempt = 0; ; attempt += 1) {
    const relative = attempt === 0 ? path : join(`again-${attempt}`, path);
    const target = join(aside, relative);
    if (isFree(target)) {
      move(place, target);
      return relative.split(sep).join("/");
    }
  }
}

/** Makes the parents; a name is also taken where one of its parents is a file that was moved here before. */
function isFree(target: string): boolean {
  try {
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  } catch (error) {
    if (["EEXIST", "ENOTDIR"].includes(errorCode(error) ?? "")) return false;
    throw error;
  }
  return lstatSync(target, { throwIfNoEntry: false }) === undefined;
}

function move(place: Buffer | string, target: string): void {
  openIfDirectory(place);
  try {
    withParentOpened(place, () => renameSync(place, target));
  } catch (error) {
    if (errorCode(error) !== "EXDEV") throw error;
    // A crash in between leaves it in both places; a repeat moves it again, under another name.
    copyTree(place, target);
    withParentOpened(place, () => rmSync(place, { recursive: true, force: true }));
  }
}

/** Runs it again with the parent made writable, where an agent had taken the permission away. */
export function withParentOpened(place: Buffer | string, operation: () => void): void {
  try {
    operation();
  } catch (error) {
    if (!["EACCES", "EPERM"].includes(errorCode(error) ?? "")) throw error;
    const parent = dirname(place.toString());
    chmodSync(parent, (statSync(parent).mode & 0o7777) | 0o700);
    operation();
  }
}

/** A directory can be moved to another parent, copied and removed only by who may write to it. */
function openIfDirectory(place: Buffer | string): void {
  const stat = lstatSync(place);
  if (!stat.isDirectory() || (stat.mode & 0o700) === 0o700) return;
  chmodSync(place, (stat.mode & 0o7777) | 0o700);
}

/** Sockets, FIFOs and devices have no content to keep: their place in the list of what was replaced is all. */
function copyTree(from: Buffer | string, to: string): void {
  const stat = lstatSync(from);
  if (stat.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
  else if (stat.isFile()) copyFileSync(from, to);
  else if (stat.isDirectory()) {
    openIfDirectory(from);
    mkdirSync(to, { mode: 0o700 });
    for (const name of readdirSync(from)) copyTree(join(from.toString(), name), join(to, name));
  }
}
