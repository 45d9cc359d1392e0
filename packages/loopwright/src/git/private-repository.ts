import { createHash, randomBytes } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { git } from "./git.ts";
import { readPlain } from "./read-plain.ts";

/**
 * A small git directory of our own, outside the repository, through which a checkout is read. It exists so that
 * nothing of the checkout's `.git` can run or mislead: no filter, hook, monitor, attribute or index of the agent's is
 * ever read, the user's index is neither touched nor locked, and what we store needs no room in the user's objects.
 * Objects that the repository has already are found through alternates and not stored again.
 *
 * Content is read as raw bytes: no end-of-line or keyword conversion, no LFS pointers.
 */
export interface PrivateRepository {
  readonly directory: string;
  readonly checkout: string;
  readonly format: "sha1" | "sha256";
  /** Environment that makes git use it. `indexFile` is the caller's own copy of the index. */
  environment(indexFile: string, alternates: readonly string[]): Record<string, string>;
  /** A name for an index of one call, so that no call ever waits for a lock of another. */
  newIndexPath(): string;
}

/** Opens or makes it. One that belongs to another checkout is thrown away: it is only a cache. */
export async function openPrivateRepository(
  checkout: string,
  directory: string,
  head: { commonDirectory: string; head: string | null },
): Promise<PrivateRepository> {
  const owner = readPlain(join(directory, "checkout"), 8192);
  if (owner !== checkout) {
    rmSync(directory, { recursive: true, force: true });
    await create(checkout, directory, head);
  }
  return opened(checkout, directory);
}

function opened(checkout: string, directory: string): PrivateRepository {
  const format = existsSync(join(directory, "sha256")) ? "sha256" : "sha1";
  return {
    directory,
    checkout,
    format,
    environment: (indexFile, alternates) => ({
      GIT_DIR: directory,
      GIT_WORK_TREE: checkout,
      GIT_INDEX_FILE: indexFile,
      GIT_OBJECT_DIRECTORY: join(directory, "objects"),
      GIT_ALTERNATE_OBJECT_DIRECTORIES: alternatesValue(alternates),
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_ATTR_NOSYSTEM: "1",
    }),
    newIndexPath: () => join(directory, `index.${process.pid}.${randomBytes(6).toString("hex")}`),
  };
}

async function create(
  checkout: string,
  directory: string,
  head: { commonDirectory: string; head: string | null },
): Promise<void> {
  const [format, excludes] = await Promise.all([
    objectFormat(checkout, head.head),
    globalExcludes(checkout),
  ]);
  // A crash here leaves a directory with a random name beside ours; `removeLeftovers` of a later start takes it away.
  const building = `${directory}.new-${randomBytes(6).toString("hex")}`;
  for (const folder of ["objects/info", "refs", "info"]) {
    mkdirSync(join(building, folder), { recursive: true, mode: 0o700 });
  }
  // The excludes are frozen: what an agent adds to `.git/info/exclude` later hides nothing.
  const exclude = readPlain(join(head.commonDirectory, "info", "exclude")) ?? "";
  writeFileSync(join(building, "HEAD"), "ref: refs/heads/private\n");
  writeFileSync(join(building, "config"), configuration(format, excludes));
  writeFileSync(join(building, "info", "exclude"), exclude);
  writeFileSync(join(building, "info", "attributes"), ATTRIBUTES);
  if (format === "sha256") writeFileSync(join(building, "sha256"), "");
  writeFileSync(join(building, "checkout"), checkout);
  try {
    renameSync(building, directory);
  } catch {
    // Another process was first; its directory says the same.
    rmSync(building, { recursive: true, force: true });
  }
}

/** Removes indexes and unfinished directories that killed processes left, once they are an hour old. */
export function removeLeftovers(directory: string, now: number): void {
  const beside = dirname(directory);
  const name = directory.slice(beside.length + 1);
  const candidates = [
    ...names(directory)
      .filter((entry) => entry.startsWith("index."))
      .map((entry) => join(directory, entry)),
    ...names(beside)
      .filter((entry) => entry.startsWith(`${name}.new-`))
      .map((entry) => join(beside, entry)),
  ];
  for (const path of candidates) {
    const age = now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now);
    if (age > 3_600_000) rmSync(path, { recursive: true, force: true });
  }
}

/** Highest precedence of all attribute files: undoes every conversion and driver that the tree asks for. */
const ATTRIBUTES = "* -text !eol !crlf -ident !filter !working-tree-encoding !diff !merge\n";

function configuration(format: "sha1" | "sha256", excludes: string | undefined): string {
  const version = format === "sha256" ? 1 : 0;
  return [
    `[core]\n\trepositoryformatversion = ${version}\n\tbare = false`,
    "\tfileMode = true\n\tsymlinks = true\n\tautocrlf = false\n\tsafecrlf = false",
    "\tprotectNTFS = false\n\tprotectHFS = false\n\tcompression = 1\n\tattributesFile = /dev/null",
    "\tquotePath = false\n\tsplitIndex = false\n\tfsmonitor = false\n\thooksPath = /dev/null",
    ...(excludes === undefined ? [] : [`\texcludesFile = ${configValue(excludes)}`]),
    ...(format === "sha256" ? ["[extensions]\n\tobjectFormat = sha256"] : []),
    "[index]\n\tversion = 2\n[gc]\n\tauto = 0\n[advice]\n\taddEmbeddedRepo = false\n",
  ].join("\n");
}

async function objectFormat(checkout: string, head: string | null): Promise<"sha1" | "sha256"> {
  if (head !== null) return head.length === 64 ? "sha256" : "sha1";
  const result = await git(["rev-parse", "--show-object-format"], { cwd: checkout });
  return result.stdout.toString("utf8").trim() === "sha256" ? "sha256" : "sha1";
}

async function globalExcludes(checkout: string): Promise<string | undefined> {
  const result = await git(["config", "--type=path", "--get", "core.excludesFile"], {
    cwd: checkout,
  });
  const path = result.stdout.toString("utf8").replace(/\n$/, "");
  return result.code === 0 && path !== "" ? path : undefined;
}

function configValue(text: string): string {
  return `"${text.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\n/g, "\\n")}"`;
}

/** They are separated by colons; a quoted one may hold anything. */
export function alternatesValue(directories: readonly string[]): string {
  return directories.map(configValue).join(":");
}

function names(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** Where the private repository of a repository nested at `path` lives. */
export function nestedDirectory(directory: string, path: string): string {
  const name = createHash("sha256").update(path, "latin1").digest("hex").slice(0, 16);
  return join(directory, "nested", name);
}
