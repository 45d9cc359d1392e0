import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { Receipt } from "@loopwright/protocol";
import { receiptSummary } from "../../coordinator/receipts.ts";
import { commitOffline } from "../../coordinator/offline.ts";
import { goalLayout } from "../../store/layout.ts";
import { makeDirectoryDurable } from "../../store/durable-write.ts";
import { checkoutCacheOf } from "../../worker/session-place.ts";
import type { Context } from "../context.ts";
import { refuseWhileHeld } from "../idle-session.ts";
import { openSession, type OpenedSession } from "../open-session.ts";
import type { GoalTarget } from "../target.ts";
import { VERSION } from "../version.ts";
import { runChecks } from "./run-checks.ts";

export interface JournaledReceipt {
  readonly receipt: Receipt;
  readonly directory: string;
  readonly seq: number;
}

/**
 * Runs the pinned checks of an open session that nobody runs at the moment, and journals the receipt. A crash before
 * the commit leaves `evaluations/manual-…`, which nobody reads.
 */
export async function checkInSession(
  context: Context,
  target: GoalTarget,
  opened: OpenedSession,
  signal: AbortSignal,
): Promise<JournaledReceipt> {
  // Checks run in the checkout, where an agent may be at work.
  refuseWhileHeld(context, target, {
    why: "and its agents work in the same checkout",
    hint: "It runs the checks itself when they are due; for a look now, stop it first: loopwright stop",
  });
  const { seams } = context;
  const { layout, session } = opened;
  const scratch = join(layout.evaluations, `manual-${seams.ids.next()}`);
  makeDirectoryDurable(seams.disk, scratch);
  const started = seams.clock.monotonic();
  const receipt = await runChecks(seams, {
    checkout: session.repository,
    pins: session.pins,
    pinStore: goalLayout(target.layout.directory).pins,
    protect: session.configuration.gate.protect,
    checksDirectory: session.configuration.gate.checks,
    sessionId: opened.id,
    directory: scratch,
    cache: checkoutCacheOf(layout.directory),
    environment: context.environment,
    signal,
  });
  const live = Math.round(seams.clock.monotonic() - started);
  const { seq } = await commitOffline(
    {
      seams,
      runtimeRoot: target.runtimeRoot,
      goalId: target.goal.id,
      sessionId: opened.id,
      version: VERSION,
    },
    () => ({
      kind: "manual",
      manual: {
        attempt_id: receipt.attempt_id,
        receipt: receiptSummary(receipt),
        live_ms: live,
        cost_usd: null,
      },
    }),
  );
  return { receipt, directory: settle(target, opened, receipt, scratch), seq };
}

/** The journal has given it a name by now. */
function settle(
  target: GoalTarget,
  opened: OpenedSession,
  receipt: Receipt,
  scratch: string,
): string {
  for (const { type, data } of openSession(target, opened.id).lines.flatMap(
    ({ records }) => records,
  )) {
    if (type !== "verification_started" || data.attempt_id !== receipt.attempt_id) continue;
    const directory = join(opened.layout.directory, data.directory);
    if (!existsSync(directory)) renameSync(scratch, directory);
    return directory;
  }
  return scratch;
}
