import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What a private repository remembers beside its index. Only a cache: lost or damaged, it is made anew. */
export interface ReaderState {
  /** HEAD that the index was seeded from; undefined: never. */
  readonly head: string | null | undefined;
  /** Repositories found inside the checkout, as `latin1` paths. */
  readonly nested: readonly string[];
}

export function readReaderState(directory: string): ReaderState {
  try {
    const text = readFileSync(join(directory, "state.json"), "utf8");
    const state = JSON.parse(text) as Partial<ReaderState>;
    return { head: state.head, nested: state.nested ?? [] };
  } catch {
    return { head: undefined, nested: [] };
  }
}

/** Written after the index: a crash between leaves an older HEAD here, which only costs a comparison. */
export function writeReaderState(directory: string, before: ReaderState, now: ReaderState): void {
  if (JSON.stringify(before) === JSON.stringify(now)) return;
  const temporary = join(directory, `state.${process.pid}.tmp`);
  writeFileSync(temporary, JSON.stringify(now));
  renameSync(temporary, join(directory, "state.json"));
}
