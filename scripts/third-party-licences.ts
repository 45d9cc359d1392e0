import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const PERMITTED = new Set(["MIT", "ISC", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "0BSD"]);

/** The bundle carries other people's code, so it carries their licences: `THIRD_PARTY_LICENCES.txt` beside it. */
export function thirdPartyLicences(): LicencePlugin {
  return {
    name: "third-party-licences",
    generateBundle(_options, bundle) {
      const folders = new Set<string>();
      for (const chunk of Object.values(bundle)) {
        for (const id of chunk.moduleIds ?? []) {
          const folder = packageFolder(id);
          if (folder !== undefined) folders.add(folder);
        }
      }
      const texts = [...folders].toSorted().map(licenceText);
      this.emitFile({
        type: "asset",
        fileName: "THIRD_PARTY_LICENCES.txt",
        source: texts.join(`\n${"-".repeat(80)}\n\n`),
      });
    },
  };
}

interface LicencePlugin {
  name: string;
  generateBundle(
    this: { emitFile(file: { type: "asset"; fileName: string; source: string }): string },
    options: unknown,
    bundle: Readonly<Record<string, { moduleIds?: readonly string[] }>>,
  ): void;
}

interface Manifest {
  name?: string;
  version?: string;
  license?: string;
}

/** The folder of the package in `node_modules` that a module belongs to; undefined for our own. */
function packageFolder(id: string): string | undefined {
  if (!/[\\/]node_modules[\\/]/.test(id)) return undefined;
  let folder = dirname(id.replace(/^\0/, ""));
  while (folder !== dirname(folder)) {
    const manifest = readManifest(folder);
    if (manifest?.name !== undefined && manifest.version !== undefined) return folder;
    folder = dirname(folder);
  }
  throw new Error(`no package.json above ${id}`);
}

function licenceText(folder: string): string {
  const { name, version, license } = readManifest(folder) ?? {};
  if (license === undefined || !PERMITTED.has(license)) {
    throw new Error(
      `${name} ${version} is bundled, and its licence ${license} isn't a permitted one`,
    );
  }
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? "(no licence file)" : readFileSync(join(folder, file), "utf8");
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}

function readManifest(folder: string): Manifest | undefined {
  const path = join(folder, "package.json");
  if (!existsSync(path)) return undefined;
  return JSON.parse(readFileSync(path, "utf8")) as Manifest;
}
