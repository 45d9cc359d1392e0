import { createHash } from "node:crypto";
import { closeSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { LoopwrightError } from "@loopwright/protocol";
import { type Disk, makeOwnDirectory, openWithoutBlocking, writeDurable } from "../store/index.ts";

/** Pinned content, by its sha256. */
export interface PinStore {
  put(content: Uint8Array): string;
  /** Throws FILE_INVALID where the content is missing or isn't what was put: a pin is never taken on trust. */
  get(sha256: string): Buffer;
}

/** @param directory `<goal>/pins`, made when missing */
export function createPinStore(disk: Disk, directory: string): PinStore {
  return {
    put: (content) => {
      const sha256 = sha256Of(content);
      const path = join(directory, sha256);
      if (intact(path, sha256) !== undefined) return sha256;
      makeOwnDirectory(disk, dirname(directory), directory);
      writeDurable(disk, path, content);
      return sha256;
    },
    get: (sha256) => {
      const path = join(directory, sha256);
      const content = intact(path, sha256);
      if (content === undefined) {
        throw new LoopwrightError("FILE_INVALID", `The pinned copy ${path} is missing or damaged`, {
          where: path,
          hint: "Pin the checks again with: loopwright check --repin",
        });
      }
      return content;
    },
  };
}

export function sha256Of(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Read once, and never from a link, a pipe or a device that stands in its place. */
function intact(path: string, sha256: string): Buffer | undefined {
  try {
    const { fd, stats } = openWithoutBlocking(path, { followLinks: false });
    try {
      const content = stats.isFile() ? readFileSync(fd) : undefined;
      return content !== undefined && sha256Of(content) === sha256 ? content : undefined;
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}
