import { LoopwrightError, type Pins } from "@loopwright/protocol";
import type { PinStore } from "../../evaluation/index.ts";
import type { Texts } from "../diff/diff-texts.ts";

/** Pinned content as files to be compared; links and modes are told in words. */
export function pinnedTexts({ files, links, checks }: Pins, store: PinStore): Texts {
  const texts = new Map<string, string | Uint8Array>();
  for (const { path, sha256, mode } of files) {
    texts.set(path, contentOf(store, sha256));
    if (mode === "100755") texts.set(`${path} (mode)`, "can be executed\n");
  }
  for (const { path, target } of links) texts.set(`${path} (link)`, `leads to ${target}\n`);
  // One that lies outside of the checkout is pinned without its file.
  for (const { id, file, sha256 } of checks)
    if (!texts.has(file)) texts.set(`check ${id}`, `sha256 ${sha256}\n`);
  return texts;
}

function contentOf(store: PinStore, sha256: string): Uint8Array | string {
  try {
    return store.get(sha256);
  } catch (error) {
    if (!(error instanceof LoopwrightError)) throw error;
    return `(the pinned copy ${sha256} is missing or damaged)\n`;
  }
}
