import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A directory through which another one can only be read, by anybody. */
export interface ReadOnlyView {
  readonly directory: string;
  remove(): void;
}

/** Undefined where this user may not mount; the reason stands in the test's name then. */
export function mountReadOnly(source: string): ReadOnlyView | undefined {
  const directory = mkdtempSync(join(tmpdir(), "loopwright-disk-"));
  const remove = (): void => {
    execFileSync("umount", ["--lazy", directory], { stdio: "ignore" });
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    execFileSync("mount", ["--bind", source, directory], { stdio: "ignore" });
  } catch {
    rmSync(directory, { recursive: true, force: true });
    return undefined;
  }
  try {
    execFileSync("mount", ["-o", "remount,bind,ro", directory], { stdio: "ignore" });
    return { directory, remove };
  } catch {
    remove();
    return undefined;
  }
}
