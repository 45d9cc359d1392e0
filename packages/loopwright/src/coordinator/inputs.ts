import { lstatSync, readdirSync } from "node:fs";
import { inputFile, inputId, type RecordData } from "@loopwright/protocol";
import { readAgentFile } from "../store/agent-file.ts";
import type { SessionLayout } from "../store/session-layout.ts";

/** `inputs/<id>.json`: guidance that the CLI or the API left. */
export interface Inputs {
  /** Those not yet journaled, in order of their ids. Bad files are passed over until they change. */
  fresh(): RecordData<"input_received">[];
}

/** A listing counts only when the directory had rested this long before: its mtime has the kernel's tick. Wall ms. */
const REST_MS = 100;

export function createInputs(
  layout: SessionLayout,
  known: () => ReadonlySet<string>,
  wall: () => number,
): Inputs {
  let listed: bigint | undefined;
  const bad = new Map<string, bigint>();

  return {
    fresh() {
      const stats = lstatSync(layout.inputs, { bigint: true, throwIfNoEntry: false });
      if (stats === undefined || !stats.isDirectory() || stats.mtimeNs === listed) return [];
      const rested = wall() - Number(stats.mtimeNs / 1_000_000n) > REST_MS;
      const names = readdirSync(layout.inputs).sort();
      const found = names.flatMap((name) => {
        const id = name.endsWith(".json") ? name.slice(0, -5) : "";
        if (known().has(id) || !inputId.safeParse(id).success) return [];
        return readInput(layout, id, bad);
      });
      // What is fresh is journaled by the caller; only then the listing may be skipped.
      listed = rested && found.length === 0 && bad.size === 0 ? stats.mtimeNs : undefined;
      return found;
    },
  };
}

function readInput(
  layout: SessionLayout,
  id: string,
  bad: Map<string, bigint>,
): RecordData<"input_received">[] {
  const path = layout.input(id);
  const changed = lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ctimeNs;
  if (changed === undefined || bad.get(id) === changed) return [];
  const file = readAgentFile(path, { root: layout.directory });
  const parsed = file.kind === "text" ? inputFile.safeParse(parse(file.text)) : undefined;
  if (parsed?.success === true && parsed.data.id === id) {
    bad.delete(id);
    return [{ id, text: parsed.data.text, at: parsed.data.at }];
  }
  bad.set(id, changed);
  return [];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
