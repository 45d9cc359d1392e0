import { statSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { RegistryGoal } from "@loopwright/protocol";
import { loadRegistry } from "../control-plane/registry.ts";
import type { ReadingSeams } from "../control-plane/projection/index.ts";
import type { Clock } from "../seams/clock.ts";
import { type GoalEntry, readEntry } from "./goal-entry.ts";

export interface BookOptions {
  readonly registryPath: string;
  readonly runtimeRoot: string;
  readonly seams: ReadingSeams & { readonly clock: Clock };
  /** A goal came, went or changed, in the moment in which the book says so. */
  readonly onChange: (after: GoalEntry | undefined, before: GoalEntry | undefined) => void;
  readonly onProblem: (error: unknown) => void;
}

/** All goals of a registry in memory, told apart by their files' fingerprints; nothing is watched. */
export interface GoalBook {
  /** Grows with every change. */
  version(): number;
  entries(): readonly GoalEntry[];
  /** Looked at now. */
  entry(id: string): GoalEntry | undefined;
  /**
   * Resolves when the book is at most `OLDEST_MS` old. Older than `FRESH_MS`: a look begins, which whoever asks
   * meanwhile shares.
   */
  refresh(): Promise<void>;
}

/** Monotonic milliseconds. */
const FRESH_MS = 250;
const OLDEST_MS = 1_000;
/** Others get their turn after this much of a look over thousands of goals. */
const SLICE_MS = 4;

/** Throws REGISTRY_INVALID, SCHEMA_NEWER. */
export function openGoalBook(options: BookOptions): GoalBook {
  const { registryPath, runtimeRoot, seams, onChange, onProblem } = options;
  const entries = new Map<string, GoalEntry>();
  let goals = new Map<string, RegistryGoal>();
  let list: readonly GoalEntry[] | undefined;
  let registryPrint: string | undefined;
  let version = 0;
  let lookedAt = -Infinity;
  let looking: Promise<void> | undefined;

  const put = (id: string, after: GoalEntry | undefined): void => {
    const before = entries.get(id);
    if (after === before) return;
    if (after === undefined) entries.delete(id);
    else entries.set(id, after);
    list = undefined;
    // A goal that only looks different inside is kept without a word.
    if (after !== undefined && before !== undefined && after.status === before.status) return;
    version += 1;
    onChange(after, before);
  };

  const readGoals = (): void => {
    const print = printOf(registryPath);
    if (print === registryPrint) return;
    const isFirst = registryPrint === undefined;
    registryPrint = print;
    try {
      const read = loadRegistry(registryPath).goals;
      goals = new Map(read.map((goal) => [goal.id, goal]));
    } catch (error) {
      if (isFirst) throw error;
      // What was known stays; a person is in the middle of an edit, mostly.
      return onProblem(error);
    }
    for (const id of entries.keys()) if (!goals.has(id)) put(id, undefined);
  };

  const lookAt = (goal: RegistryGoal): void =>
    put(goal.id, readEntry(runtimeRoot, goal, entries.get(goal.id), seams));

  const look = async (): Promise<void> => {
    readGoals();
    let sliceEnds = seams.clock.monotonic() + SLICE_MS;
    for (const goal of goals.values()) {
      try {
        lookAt(goal);
      } catch (error) {
        onProblem(error);
      }
      if (seams.clock.monotonic() < sliceEnds) continue;
      await setImmediate();
      sliceEnds = seams.clock.monotonic() + SLICE_MS;
    }
    lookedAt = seams.clock.monotonic();
  };

  readGoals();
  return {
    version: () => version,
    entries: () => (list ??= [...goals.keys()].flatMap((id) => entries.get(id) ?? [])),
    entry(id) {
      readGoals();
      const goal = goals.get(id);
      if (goal !== undefined) lookAt(goal);
      return entries.get(id);
    },
    async refresh() {
      const age = seams.clock.monotonic() - lookedAt;
      if (age > FRESH_MS)
        looking ??= look().finally(() => {
          looking = undefined;
        });
      if (age > OLDEST_MS) await looking;
    },
  };
}

function printOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? "-" : `${found.ino}:${found.size}:${found.mtimeMs}`;
}
