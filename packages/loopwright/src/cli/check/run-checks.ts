import { LoopwrightError, type Pins, type Receipt } from "@loopwright/protocol";
import { createPinStore, runVerification } from "../../evaluation/index.ts";
import { openCheckoutReader } from "../../git/index.ts";
import { createLauncher } from "../../process/launcher.ts";
import type { Seams } from "../context.ts";

export interface CheckRequest {
  /** Real path of the work tree. */
  readonly checkout: string;
  readonly pins: Pins;
  readonly pinStore: string;
  readonly protect: readonly string[];
  readonly checksDirectory: string;
  readonly sessionId: string;
  /** Where receipt and outputs go. */
  readonly directory: string;
  /** A directory of ours, for reading the checkout. */
  readonly cache: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** Runs pinned checks here and now. Throws when they can't be run at all, or `signal` aborted. */
export async function runChecks(seams: Seams, request: CheckRequest): Promise<Receipt> {
  const launcher = createLauncher({ processes: seams.processes });
  const reader = openCheckoutReader(request.checkout, { indexPath: request.cache });
  try {
    const end = await runVerification(
      { ...request, attemptId: seams.ids.next(), kind: "manual", reuse: [] },
      {
        ...seams,
        launcher,
        store: createPinStore(seams.disk, request.pinStore),
        snapshot: () => reader.snapshot(),
      },
    );
    if (end.kind === "receipt") return end.receipt;
    throw new LoopwrightError(
      "SPAWN_FAILED",
      end.kind === "cancelled"
        ? "The checks were interrupted, and nothing of them runs any more"
        : end.problem,
    );
  } finally {
    reader.close();
    launcher.close();
  }
}
