import { setImmediate } from "node:timers/promises";
import type { RegistryGoal } from "@loopwright/protocol";
import { isForeignRegistry } from "../control-plane/foreign-registry.ts";
import { loadRegistry } from "../control-plane/registry.ts";
import type { ReadingSeams } from "../control-plane/projection/index.ts";
import type { Clock } from "../seams/clock.ts";
import { type GoalEntry, readEntry } from "./goal-entry.ts";
import { readLoopxEntry } from "./loopx-entry.ts";
import { printOf } from "./prints.ts";

export interface BookOptions {
  readonly registryPath: string;
  readonly runtimeRoot: string;
  /** Of the user, for what a registry says with `~`. */
  readonly home: string;
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
   * Resolves when the book is two seconds old at most; one that is older than a look's rest is looked through again,
   * which whoever asks meanwhile shares.
   */
  refresh(): Promise<void>;
}

/** Between two looks, monotonic milliseconds: so long that looks take a tenth of the time, within these bounds. */
const REST_MS = { least: 250, most: 1_000 };
const SHARE = 10;
/** Who finds an older book waits until it was looked through. */
const OLDEST_MS = 2_000;
/** What stands still in almost every goal isn't looked at each time. */
const FULL_EVERY_MS = 5_000;
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
  let lookedFullyAt = -Infinity;
  let rest = REST_MS.least;
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
    const print = printOf([registryPath]);
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

  const isForeign = isForeignRegistry(registryPath);
  const lookAt = (goal: RegistryGoal, depth: "quick" | "full"): void => {
    const known = entries.get(goal.id);
    const { home } = options;
    const after = isForeign
      ? readLoopxEntry({ registryPath, runtimeRoot, home, clock: seams.clock }, goal, known)
      : readEntry(runtimeRoot, goal, known, seams, depth);
    put(goal.id, after);
  };

  const look = async (): Promise<void> => {
    readGoals();
    const started = seams.clock.monotonic();
    const depth = started - lookedFullyAt > FULL_EVERY_MS ? "full" : "quick";
    let worked = 0;
    let sliceStarted = started;
    for (const goal of goals.values()) {
      try {
        lookAt(goal, depth);
      } catch (error) {
        onProblem(error);
      }
      const slice = seams.clock.monotonic() - sliceStarted;
      if (slice < SLICE_MS) continue;
      worked += slice;
      await setImmediate();
      sliceStarted = seams.clock.monotonic();
    }
    lookedAt = seams.clock.monotonic();
    if (depth === "full") lookedFullyAt = lookedAt;
    rest = Math.min(Math.max(REST_MS.least, worked * SHARE), REST_MS.most);
  };

  readGoals();
  return {
    version: () => version,
    entries: () => (list ??= [...goals.keys()].flatMap((id) => entries.get(id) ?? [])),
    entry(id) {
      readGoals();
      const goal = goals.get(id);
      if (goal !== undefined) lookAt(goal, "full");
      return entries.get(id);
    },
    async refresh() {
      const age = seams.clock.monotonic() - lookedAt;
      if (age > rest)
        looking ??= look().finally(() => {
          looking = undefined;
        });
      if (age > OLDEST_MS) await looking;
    },
  };
}
