import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Pins, Replaced } from "@loopwright/protocol";
import { moveAside, withParentOpened } from "./move-aside.ts";
import type { PinStore } from "./pin-store.ts";
import { protectionOf } from "./pins.ts";
import { hashFile, standing } from "./plain-file.ts";
import { linkTarget, walkProtected } from "./protected-walk.ts";

export interface RestoreRequest {
  /** Real path of the work tree. */
  readonly checkout: string;
  readonly pins: Pins;
  readonly protect: readonly string[];
  readonly checksDirectory: string | undefined;
  readonly store: PinStore;
  /** `evaluations/<NNNN>-<k>/replaced`, made when needed. */
  readonly asideDirectory: string;
}

/**
 * Makes everything protected what it was when it was pinned: what differs or was added is moved aside unopened, pinned
 * copies are written, deleted ones too. Nothing is followed or written through a link. A crash at any point leaves
 * some files missing or still wrong, never half written; the next call does the rest. Throws FILE_INVALID for a
 * damaged pin, and what the file system says where even the owner may not write.
 */
export function restoreProtected(request: RestoreRequest): Replaced[] {
  const { checkout, pins } = request;
  const replaced = new Map<string, Replaced>();
  const aside = (place: Buffer | string, path: string, found: Replaced["found"]): void => {
    const moved = moveAside(place, path, request.asideDirectory);
    replaced.set(path, { path, found, aside: `${basename(request.asideDirectory)}/${moved}` });
  };
  for (const { path } of [...pins.files, ...pins.links]) {
    for (const parent of parentsOf(path)) {
      openDirectory(join(checkout, parent), () =>
        aside(join(checkout, parent), parent, "not_a_directory"),
      );
    }
  }
  for (const file of pins.files) restoreFile(request, file, replaced, aside);
  for (const link of pins.links) restoreLink(request, link, replaced, aside);
  const known = new Set([...pins.files, ...pins.links].map(({ path }) => path));
  // Collected first: moving while walking would change what is walked.
  const present = [...walkProtected(checkout, protectionOf(request))];
  for (const { path, place } of present) {
    if (!known.has(path)) aside(place, path, "added");
  }
  return [...replaced.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Makes sure that the owner may look into and write to it; what is no directory is moved away. */
function openDirectory(place: string, moveAway: () => void): void {
  const found = standing(place);
  if (found.kind === "absent") return;
  if (found.kind !== "directory") moveAway();
  else if ((found.mode & 0o700) !== 0o700) chmodSync(place, found.mode | 0o700);
}

type MoveAside = (place: string, path: string, found: Replaced["found"]) => void;

function restoreFile(
  { checkout, store }: RestoreRequest,
  { path, sha256, mode }: Pins["files"][number],
  replaced: Map<string, Replaced>,
  aside: MoveAside,
): void {
  const place = join(checkout, path);
  const found = standing(place);
  const executable = mode === "100755";
  if (found.kind === "file") {
    const isMode = ((found.mode & 0o100) !== 0) === executable && (found.mode & 0o400) !== 0;
    if (hashFile(place) === sha256) {
      if (isMode) return;
      chmodSync(place, executable ? 0o755 : 0o644);
      replaced.set(path, { path, found: "mode", aside: null });
      return;
    }
  }
  // Read before anything is moved: a damaged pin must leave the checkout as it is.
  const content = store.get(sha256);
  if (found.kind === "absent") replaced.set(path, { path, found: "deleted", aside: null });
  else aside(place, path, found.kind === "file" ? "changed" : "not_a_file");
  put(place, (temporary) =>
    writeFileSync(temporary, content, { flag: "wx", mode: executable ? 0o755 : 0o644 }),
  );
}

function restoreLink(
  { checkout }: RestoreRequest,
  { path, target }: Pins["links"][number],
  replaced: Map<string, Replaced>,
  aside: MoveAside,
): void {
  const place = join(checkout, path);
  if (linkTarget(place) === target) return;
  if (standing(place).kind === "absent")
    replaced.set(path, { path, found: "deleted", aside: null });
  else aside(place, path, "changed");
  put(place, (temporary) => symlinkSync(target, temporary));
}

/** Under a temporary name first, so that nobody ever sees half of it. */
function put(place: string, create: (temporary: string) => void): void {
  mkdirSync(dirname(place), { recursive: true });
  const temporary = join(
    dirname(place),
    `.${basename(place).slice(0, 100)}.${randomBytes(6).toString("hex")}.tmp`,
  );
  try {
    withParentOpened(place, () => create(temporary));
    renameSync(temporary, place);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** `a`, `a/b` of `a/b/c`. */
function parentsOf(path: string): string[] {
  const folders = path.split("/").slice(0, -1);
  return folders.map((_, at) => folders.slice(0, at + 1).join("/"));
}
