import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { LoopwrightError } from "@loopwright/protocol";

/** Creates each file that doesn't exist yet, with its folders. Nothing that exists is opened, followed or changed. */
export function createMissing(
  root: string,
  files: ReadonlyMap<string, string>,
): { created: string[]; kept: string[] } {
  const created: string[] = [];
  const kept: string[] = [];
  for (const [name, text] of files) {
    (createFile(join(root, name), text) ? created : kept).push(name);
  }
  return { created, kept };
}

function createFile(path: string, text: string): boolean {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag: "wx" });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    throw new LoopwrightError(
      "DISK_FAILED",
      `${path} can't be created (${code ?? String(error)})`,
      {
        where: path,
        cause: error,
      },
    );
  }
}
