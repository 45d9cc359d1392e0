import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, runOrThrow, startedDirectly } from "./run.ts";

/**
 * Builds what is published: dist of all packages, and in the product the templates, the licence and the JSON Schema
 * that editors use for `loopwright.yaml`. All of it is ignored by git.
 */
export function build(): void {
  runOrThrow("tsdown", []);
  for (const folder of ["protocol", "engine", "loopwright"]) {
    cpSync(join(ROOT, "LICENSE"), join(ROOT, "packages", folder, "LICENSE"));
  }
  const product = join(ROOT, "packages/loopwright");
  const templates = join(product, "templates");
  rmSync(templates, { recursive: true, force: true });
  if (existsSync(join(ROOT, "templates")))
    cpSync(join(ROOT, "templates"), templates, { recursive: true });

  const schema = runOrThrow("node", [
    "--conditions=loopwright-source",
    join(ROOT, "scripts/configuration-schema.ts"),
  ]);
  mkdirSync(join(product, "schema"), { recursive: true });
  writeFileSync(join(product, "schema/loopwright.schema.json"), schema);
}

if (startedDirectly(import.meta.url)) {
  try {
    build();
    console.log("built packages/{protocol,engine,loopwright}");
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
