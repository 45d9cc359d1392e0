import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT, type RunResult, runOrThrow } from "./run.ts";

/** What users get: the packed product installs into an empty folder, without a network, and starts there. */
export function checkPack(): RunResult {
  const folder = mkdtempSync(join(tmpdir(), "loopwright-pack-"));
  try {
    return { ok: true, output: installed(folder) };
  } catch (error) {
    return { ok: false, output: `${(error as Error).message}\n` };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function installed(folder: string): string {
  const product = join(ROOT, "packages/loopwright");
  const { version } = JSON.parse(readFileSync(join(product, "package.json"), "utf8")) as {
    version: string;
  };
  const npm = (...args: string[]): string =>
    runOrThrow("npm", [...args, "--loglevel=error", "--no-audit", "--no-fund"], { cwd: folder });

  // Its own script would build once more.
  npm("pack", product, "--ignore-scripts", "--pack-destination", folder);
  writeFileSync(join(folder, "package.json"), `{"private":true}\n`);
  npm("install", "--offline", `./loopwright-${version}.tgz`);
  const printed = runOrThrow("npx", ["--offline", "--loglevel=error", "loopwright", "--version"], {
    cwd: folder,
  });
  if (!printed.split("\n").includes(version)) {
    throw new Error(`"npx loopwright --version" printed ${printed.trim()} instead of ${version}`);
  }
  return "";
}
