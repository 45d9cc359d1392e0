import { closeSync, lstatSync, opendirSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { errorCode } from "./disk-error.ts";
import { type OpenedFile, openWithoutBlocking, readUpTo } from "./regular-file.ts";

/** What lies where an agent may have written. `reason` is half a sentence: `is a symbolic link`. */
export type AgentFile =
  | { readonly kind: "absent" }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "text"; readonly text: string; readonly bytes: number };

export interface AgentFileOptions {
  /** Larger files are refused. Default 256 KiB. */
  readonly maxBytes?: number;
  /** Directory that is ours and holds `path`: no directory below it on the way may be a link. */
  readonly root?: string;
}

/**
 * Reads a file that an agent may have written, once. Neither follows links nor blocks; takes only a regular file with
 * one name. Bytes that are not UTF-8 become U+FFFD. Never throws for anything that an agent can leave behind.
 */
export function readAgentFile(path: string, options: AgentFileOptions = {}): AgentFile {
  const { maxBytes = 256 * 1024, root } = options;
  const detour = root === undefined ? undefined : findDetour(root, path);
  if (detour !== undefined) return refused(detour);
  const opened = open(path);
  if ("kind" in opened) return opened;
  try {
    return readOpened(opened, maxBytes, root === undefined ? undefined : { root, path });
  } catch (error) {
    return refused(`can't be read (${errorCode(error) ?? String(error)})`);
  } finally {
    closeSync(opened.fd);
  }
}

/**
 * Names in a directory that an agent may have filled, sorted. Looks at no more than 10,000 entries and returns at
 * most `limit`. Empty when there is no directory, or a link in its place.
 */
export function listAgentDirectory(
  path: string,
  options: { readonly limit: number; readonly root?: string },
): string[] {
  if (options.root !== undefined && findDetour(options.root, path) !== undefined) return [];
  const names: string[] = [];
  try {
    if (!lstatSync(path).isDirectory()) return [];
    const directory = opendirSync(path);
    try {
      for (let seen = 0; seen < 10_000; seen += 1) {
        const entry = directory.readSync();
        if (entry === null) break;
        names.push(entry.name);
      }
    } finally {
      directory.closeSync();
    }
  } catch {
    return [];
  }
  return names.sort().slice(0, options.limit);
}

function open(path: string): OpenedFile | AgentFile {
  try {
    return openWithoutBlocking(path, { followLinks: false });
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT") return { kind: "absent" };
    if (code === "ELOOP" || code === "EMLINK") return refused("is a symbolic link");
    if (code === "ENXIO") return refused("is not a regular file");
    return refused(`can't be read (${code ?? String(error)})`);
  }
}

function readOpened(
  { fd, stats }: OpenedFile,
  maxBytes: number,
  expected: { root: string; path: string } | undefined,
): AgentFile {
  if (!stats.isFile()) return refused("is not a regular file");
  if (stats.nlink !== 1) return refused("has more than one name (hard links)");
  if (stats.size > maxBytes) return refused(`is larger than ${maxBytes} bytes`);
  if (expected !== undefined && isElsewhere(fd, expected.root, expected.path)) {
    return refused("was reached through a symbolic link");
  }
  const bytes = readUpTo(fd, maxBytes + 1);
  if (bytes.length > maxBytes) return refused(`grew beyond ${maxBytes} bytes while it was read`);
  return { kind: "text", text: new TextDecoder().decode(bytes), bytes: bytes.length };
}

/** Half a sentence about the first component between root and the file that is not a plain directory. */
function findDetour(root: string, path: string): string | undefined {
  const below = relative(root, dirname(path));
  if (below === "") return undefined;
  if (below === ".." || below.startsWith(`..${sep}`)) return "lies outside its directory";
  let current = root;
  for (const name of below.split(sep)) {
    current = join(current, name);
    const stats = lstatSync(current, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    if (stats.isSymbolicLink()) return "was reached through a symbolic link";
    if (!stats.isDirectory()) return "lies below something that is not a directory";
  }
  return undefined;
}

/**
 * Whether what was opened lies elsewhere than its path says: somebody may have put a link in the way after the
 * components were looked at. Only Linux can tell; elsewhere that window of microseconds stays.
 */
function isElsewhere(fd: number, root: string, path: string): boolean {
  if (process.platform !== "linux") return false;
  return readlinkSync(`/proc/self/fd/${fd}`) !== join(realpathSync(root), relative(root, path));
}

function refused(reason: string): AgentFile {
  return { kind: "refused", reason };
}
