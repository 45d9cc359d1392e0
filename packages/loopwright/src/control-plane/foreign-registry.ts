import { basename, dirname, resolve } from "node:path";
import { LoopwrightError } from "@loopwright/protocol";

/** Whether a registry is a LoopX project's own: in `.loopx/`, or LoopX's merged one. It is read and never written. */
export function isForeignRegistry(path: string): boolean {
  const file = resolve(path);
  return basename(dirname(file)) === ".loopx" || basename(file) === "registry.global.json";
}

/** Throws FOREIGN_PROJECT. */
export function refuseForeign(path: string): void {
  if (!isForeignRegistry(path)) return;
  throw new LoopwrightError(
    "FOREIGN_PROJECT",
    `${path} belongs to LoopX and is only read, never changed`,
    {
      where: path,
      hint: `Make a Loopwright project of it with: loopwright import loopx ${dirname(dirname(resolve(path)))}`,
    },
  );
}
