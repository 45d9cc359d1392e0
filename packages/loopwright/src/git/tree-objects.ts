import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { deflateSync } from "node:zlib";
import type { IndexEntry } from "./index-file.ts";

export interface TreeWriter {
  /**
   * Id of the tree that `git write-tree` would make of these entries, which must be sorted by path bytes; an entry
   * of mode 0o40000 is a whole tree and sorts as `path/`. Its tree objects are stored. The very same array is not
   * looked at again.
   */
  write(entries: readonly IndexEntry[]): string;
}

export function createTreeWriter(objects: string, format: "sha1" | "sha256"): TreeWriter {
  const stored = new Set<string>();
  const store = (body: string): string => {
    const object = Buffer.from(`tree ${body.length}\0${body}`, "latin1");
    const id = createHash(format).update(object).digest("hex");
    if (!stored.has(id)) storeLoose(join(objects, id.slice(0, 2), id.slice(2)), object);
    stored.add(id);
    return id;
  };
  let last: { entries: readonly IndexEntry[]; id: string } | undefined;
  return {
    write: (entries) => {
      if (last?.entries !== entries) last = { entries, id: writeTree(entries, store) };
      return last.id;
    },
  };
}

interface OpenTree {
  readonly name: string;
  /** One character per byte. */
  body: string;
}

/** Sorted by path, the entries of one directory stand together, so one pass with a stack of open trees is enough. */
function writeTree(entries: readonly IndexEntry[], store: (body: string) => string): string {
  const root: OpenTree = { name: "", body: "" };
  const stack: OpenTree[] = [root];
  const closeTo = (depth: number): void => {
    while (stack.length > depth) {
      const tree = stack.pop();
      const parent = stack.at(-1);
      if (tree === undefined || parent === undefined) return;
      parent.body += treeEntry(0o40000, tree.name, store(tree.body));
    }
  };
  let openPath: string[] = [];
  for (const entry of entries) {
    const folders = entry.path.split("/");
    const name = folders.pop() ?? "";
    let common = 0;
    while (common < folders.length && folders[common] === openPath[common]) common += 1;
    closeTo(common + 1);
    for (const folder of folders.slice(common)) stack.push({ name: folder, body: "" });
    openPath = folders;
    const tree = stack.at(-1) ?? root;
    tree.body += treeEntry(entry.mode, name, entry.id);
  }
  closeTo(1);
  return store(root.body);
}

function treeEntry(mode: number, name: string, id: string): string {
  return `${mode.toString(8)} ${name}\0${Buffer.from(id, "hex").toString("latin1")}`;
}

/** Not synced: these objects are a cache for comparing, never a record. */
function storeLoose(path: string, object: Buffer): void {
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, deflateSync(object, { level: 1 }), { mode: 0o400 });
  renameSync(temporary, path);
}

/** Id of a blob with this content, computed without storing it. */
export function blobId(content: Uint8Array, format: "sha1" | "sha256"): string {
  return createHash(format).update(`blob ${content.length}\0`).update(content).digest("hex");
}
