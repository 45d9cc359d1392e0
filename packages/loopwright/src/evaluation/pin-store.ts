import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { LoopwrightError } from "@loopwright/protocol";
import { type Disk, makeDirectoryDurable, writeDurable } from "../store/index.ts";

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
      if (existsSync(path) && isIntact(path, sha256)) return sha256;
      makeDirectoryDurable(disk, directory);
      writeDurable(disk, path, content);
      return sha256;
    },
    get: (sha256) => {
      const path = join(directory, sha256);
      if (!isIntact(path, sha256)) {
        throw new LoopwrightError("FILE_INVALID", `The pinned copy ${path} is missing or damaged`, {
          where: path,
          hint: "Pin the checks again with: loopwright check --repin",
        });
      }
      return readFileSync(path);
    },
  };
}

export function sha256Of(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

function isIntact(path: string, sha256: string): boolean {
  try {
    return sha256Of(readFileSync(path)) === sha256;
  } catch {
    return false;
  }
}
