import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A small file system of its own, which can really be full. */
export interface SmallDisk {
  readonly directory: string;
  /** Takes all space that is left but for these bytes. */
  fill(rest?: number): void;
  empty(): void;
  remove(): void;
}

/** Undefined where this user may not mount; the reason stands in the test's name then. */
export function mountSmallDisk(megabytes: number): SmallDisk | undefined {
  const directory = mkdtempSync(join(tmpdir(), "loopwright-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", directory], {
      stdio: "ignore",
    });
  } catch {
    rmSync(directory, { recursive: true, force: true });
    return undefined;
  }
  const filler = join(directory, "filler");
  return {
    directory,
    fill(rest = 0) {
      const { bavail, bsize } = statfsSync(directory);
      const block = Buffer.alloc(64 * 1024, 1);
      const bytes = Math.max(0, bavail * bsize - rest);
      for (let left = bytes; left > 0; left -= block.length) {
        try {
          writeFileSync(filler, block.subarray(0, Math.min(left, block.length)), { flag: "a" });
        } catch {
          return;
        }
      }
    },
    empty: () => rmSync(filler, { force: true }),
    remove() {
      execFileSync("umount", ["--lazy", directory], { stdio: "ignore" });
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
