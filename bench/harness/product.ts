import { cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "../../scripts/build.ts";
import { ROOT } from "../../scripts/run.ts";

/** The product as it is published, in a folder where no other build replaces it while it is measured. */
export interface Product {
  /** Beside it lie the rooms of the measures. */
  readonly directory: string;
  /** Arguments after `node`. */
  readonly bundle: readonly string[];
  /** The same command line straight from the sources, started as `./dev lw` does. */
  readonly checkout: readonly string[];
  remove(): void;
}

export function buildProduct(): Product {
  build();
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-bench-")));
  const source = join(ROOT, "packages/loopwright");
  for (const part of ["bin", "dist", "templates", "package.json"])
    cpSync(join(source, part), join(directory, "product", part), { recursive: true });
  return {
    directory,
    bundle: [join(directory, "product/bin/loopwright.mjs")],
    checkout: ["--conditions=loopwright-source", join(source, "src/cli/main.ts")],
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
