import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
/** Kept over runs, ignored by git: compiled code and the bundles. */
export const CACHE = join(ROOT, "node_modules", ".cache", "crash-tests");

let main: string | undefined;

/**
 * Path of the command line as it is published: bundled from the sources as they are. A crash test starts it hundreds of
 * times, and a bundle starts in half the time.
 */
export function builtProgram(): string {
  main ??= build();
  return main;
}

function build(): string {
  const built = join(CACHE, `build-${digestOfSources()}`);
  if (!existsSync(built)) {
    mkdirSync(CACHE, { recursive: true });
    dropOldBuilds();
    const staging = `${built}.${process.pid}`;
    execFileSync(
      process.execPath,
      [fileURLToPath(new URL("../fixtures/bundle.ts", import.meta.url)), staging],
      { stdio: ["ignore", "ignore", "pipe"] },
    );
    publish(staging, built);
  }
  return join(built, "main.mjs");
}

/** Another test process may have been quicker. */
function publish(staging: string, built: string): void {
  try {
    renameSync(staging, built);
  } catch (error) {
    if (!existsSync(built)) throw error;
    rmSync(staging, { recursive: true, force: true });
  }
}

function digestOfSources(): string {
  const hash = createHash("sha256");
  for (const path of globSync("packages/*/src/**/*.ts", { cwd: ROOT }).sort()) {
    const stats = statSync(join(ROOT, path), { throwIfNoEntry: false });
    if (stats !== undefined && !path.includes(".test."))
      hash.update(`${path} ${stats.size} ${stats.mtimeMs}\n`);
  }
  return hash.digest("hex").slice(0, 16);
}

const KEPT_MS = 3_600_000;

function dropOldBuilds(): void {
  for (const name of readdirSync(CACHE)) {
    const path = join(CACHE, name);
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (name.startsWith("build-") && age > KEPT_MS) rmSync(path, { recursive: true, force: true });
  }
}
