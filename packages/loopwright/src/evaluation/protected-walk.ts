import { type Dirent, lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { Protection } from "./protected-globs.ts";

/** Something in the checkout that protection is about. */
export interface FoundEntry {
  /** Relative to the checkout, with `/`; what isn't UTF-8 is shown as U+FFFD. */
  readonly path: string;
  /** Absolute, exactly as the file system has it. */
  readonly place: Buffer;
  readonly kind: "file" | "link" | "other";
}

/**
 * Every file, link or special file under a protected name, and every link through which files would appear under one.
 * Never follows a link, never looks into `.git`, ignores no ignored file. A directory of ours that can't be read
 * counts as one special file under its name.
 */
export function* walkProtected(checkout: string, protection: Protection): Generator<FoundEntry> {
  yield* walk({ checkout, protection }, Buffer.from(checkout), "");
}

interface Walk {
  readonly checkout: string;
  readonly protection: Protection;
}

function* walk(context: Walk, directory: Buffer, path: string): Generator<FoundEntry> {
  for (const entry of entriesOf(directory)) {
    const name = entry.name.toString("utf8");
    if (name === ".git") continue;
    const place = Buffer.concat([directory, Buffer.from("/"), entry.name]);
    const inner = path === "" ? name : `${path}/${name}`;
    if (entry.isDirectory()) {
      if (isClosed(place) && context.protection.matches(inner))
        yield { path: inner, place, kind: "other" };
      else if (context.protection.mayHold(inner)) yield* walk(context, place, inner);
    } else if (isProtected(context, entry, inner)) {
      yield { path: inner, place, kind: kindOf(entry) };
    }
  }
}

function isProtected({ checkout, protection }: Walk, entry: Dirent<Buffer>, path: string): boolean {
  if (protection.matches(path)) return true;
  return (
    entry.isSymbolicLink() && protection.mayHold(path) && linkReaches(checkout, path, protection)
  );
}

/** Entries of a linked directory that are looked at. */
const LINK_LIMIT = 10_000;

/**
 * Whether files would appear under a protected name through this link to a directory. Files that are protected under
 * their real names too are no danger, which spares the links of package managers.
 */
function linkReaches(checkout: string, path: string, protection: Protection): boolean {
  const real = realDirectory(join(checkout, path));
  if (real === undefined) return false;
  const isInside = (place: string): boolean => place.startsWith(`${checkout}${sep}`);
  const isHarmless = (place: string): boolean =>
    isInside(place) && protection.matches(relative(checkout, place).split(sep).join("/"));
  let seen = 0;
  const pending = [""];
  for (let inner = pending.pop(); inner !== undefined; inner = pending.pop()) {
    for (const entry of entriesOf(Buffer.from(join(real, inner)))) {
      seen += 1;
      if (seen > LINK_LIMIT) return !isInside(real);
      const below = inner === "" ? entry.name.toString() : `${inner}/${entry.name.toString()}`;
      if (entry.isDirectory()) {
        if (protection.mayHold(`${path}/${below}`)) pending.push(below);
      } else if (protection.matches(`${path}/${below}`) && !isHarmless(join(real, below))) {
        return true;
      }
    }
  }
  return false;
}

/** Where a link points, as text. */
export function linkTarget(place: Buffer | string): string | undefined {
  try {
    return readlinkSync(place, "utf8");
  } catch {
    return undefined;
  }
}

function realDirectory(place: string): string | undefined {
  try {
    return statSync(place).isDirectory() ? realpathSync(place) : undefined;
  } catch {
    return undefined;
  }
}

/** Closed by its owner, who is us: whoever did that can open it again in the middle of a check. */
function isClosed(place: Buffer): boolean {
  const stat = lstatSync(place, { throwIfNoEntry: false });
  return stat !== undefined && stat.uid === process.getuid?.() && (stat.mode & 0o500) !== 0o500;
}

function kindOf(entry: Dirent<Buffer>): FoundEntry["kind"] {
  if (entry.isSymbolicLink()) return "link";
  return entry.isFile() ? "file" : "other";
}

function entriesOf(directory: Buffer): Dirent<Buffer>[] {
  try {
    return readdirSync(directory, { withFileTypes: true, encoding: "buffer" });
  } catch {
    return [];
  }
}
