/** One entry of a git index. Paths are `latin1` strings: one character per byte, since a path need not be UTF-8. */
export interface IndexEntry {
  readonly path: string;
  /** For example 0o100644, 0o100755, 0o120000 (link), 0o160000 (another repository). */
  readonly mode: number;
  readonly id: string;
}

const GITLINK = 0o160000;

export function isGitlink(entry: IndexEntry): boolean {
  return entry.mode === GITLINK;
}

/**
 * Entries of an index of version 2 or 3, in their order (by path bytes). undefined: not an index that can be read;
 * the caller throws it away and makes it anew.
 */
export function readIndexEntries(
  index: Buffer,
  format: "sha1" | "sha256",
): IndexEntry[] | undefined {
  if (index.length < 12 || index.toString("latin1", 0, 4) !== "DIRC") return undefined;
  const version = index.readUInt32BE(4);
  if (version !== 2 && version !== 3) return undefined;
  const count = index.readUInt32BE(8);
  const idLength = format === "sha1" ? 20 : 32;
  const entries: IndexEntry[] = [];
  let offset = 12;
  for (let number = 0; number < count; number += 1) {
    const flagsAt = offset + 40 + idLength;
    if (flagsAt + 2 > index.length) return undefined;
    const extended = (index.readUInt16BE(flagsAt) & 0x4000) !== 0;
    const start = flagsAt + (extended ? 4 : 2);
    const end = index.indexOf(0, start);
    if (end === -1) return undefined;
    entries.push({
      path: index.toString("latin1", start, end),
      mode: index.readUInt32BE(offset + 24),
      id: index.toString("hex", offset + 40, flagsAt),
    });
    // Entries are padded with 1 to 8 zero bytes to a multiple of 8.
    offset += (end - offset + 8) & ~7;
  }
  return entries;
}
