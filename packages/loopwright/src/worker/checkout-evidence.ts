import { type ChangeSummary, LoopwrightError } from "@loopwright/protocol";
import { z } from "zod";
import {
  type Changes,
  type CheckoutReader,
  type Gone,
  openCheckoutReader,
  type Snapshot,
} from "../git/index.ts";
import type { Clock } from "../seams/clock.ts";
import type { Disk } from "../store/disk.ts";
import { writeDurable } from "../store/durable-write.ts";
import { readJsonIfPresent } from "../store/read.ts";

/** What git says around each iteration. Git trouble costs the evidence, never the iteration. */
export interface CheckoutEvidence {
  /** Before the agent starts. `gone`: there is no checkout. */
  before(): Promise<Snapshot | null | "gone">;
  /** Keeps it in `changes.json` for a worker that adopts the agent. */
  keep(before: Snapshot, changesPath: string): void;
  stored(changesPath: string): Snapshot | null;
  /** Starts git's processes for the next reading; call it while an agent runs. */
  prepare(): void;
  /** After the sweep; writes `changes.json`. */
  after(before: Snapshot | null, changesPath: string): Promise<ChangeSummary | null>;
  /** The checkout may be changed by something that is no iteration: the next `before` looks itself. */
  forget(): void;
  /** One reading, for a verification. */
  snapshot(): Promise<Snapshot | Gone>;
  close(): void;
}

/**
 * The snapshot after one iteration serves as the one before the next, if that follows at once: what anybody else edits
 * in so short a time falls to one iteration or the other by chance anyway. Monotonic milliseconds.
 */
const SAME_MOMENT_MS = 200;

export function openCheckoutEvidence(
  checkout: string,
  indexPath: string,
  { disk, clock }: { readonly disk: Disk; readonly clock: Clock },
): CheckoutEvidence {
  const reader = openCheckoutReader(checkout, { indexPath });
  let last: { readonly snapshot: Snapshot; readonly at: number } | undefined;

  const recent = (): Snapshot | undefined =>
    last !== undefined && clock.monotonic() - last.at < SAME_MOMENT_MS ? last.snapshot : undefined;
  const write = (path: string, content: object): void =>
    writeDurable(
      disk,
      path,
      `${JSON.stringify({ schema_version: 1, ...content }, undefined, 2)}\n`,
      { durable: false },
    );

  return {
    async before() {
      const taken = recent() ?? (await attempt(() => reader.snapshot()));
      return taken !== null && "gone" in taken ? "gone" : taken;
    },
    keep: (before, changesPath) => write(changesPath, { before }),
    stored: (changesPath) =>
      attemptSync(() => readJsonIfPresent(changesPath, storedBefore)?.before ?? null),
    prepare: () => reader.prepare(),
    async after(before, changesPath) {
      last = undefined;
      if (before === null) return null;
      const found = await attempt(() => evidenceOf(reader, before));
      if (found === null) return null;
      last = { snapshot: found.after, at: clock.monotonic() };
      // On a full disk the summary in result.json has to do.
      attemptSync(() => (write(changesPath, found.changes), null));
      const { files: _, ...summary } = found.changes;
      return summary;
    },
    forget() {
      last = undefined;
    },
    snapshot: () => reader.snapshot(),
    close: () => reader.close(),
  };
}

const storedBefore = z.object({
  before: z.object({
    head: z.string().nullable(),
    branch: z.string().nullable(),
    tree: z.string(),
  }),
});

async function evidenceOf(
  reader: CheckoutReader,
  before: Snapshot,
): Promise<{ changes: Changes; after: Snapshot } | null> {
  const found = await reader.evidence(before);
  return "gone" in found ? null : found;
}

async function attempt<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof LoopwrightError && error.code === "GIT_FAILED") return null;
    throw error;
  }
}

function attemptSync<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof LoopwrightError) return null;
    throw error;
  }
}
