import { join } from "node:path";
import { readReceipt } from "../receipts.ts";
import { verifiedOf } from "../finished-occurrence.ts";
import { iterationLayout } from "../../store/iteration-layout.ts";
import { abandonAttempt } from "./abandon.ts";
import { type LiveTask, type Recovered, type RecoveryContext, SETTLED } from "./context.ts";

/** Step 5: a written receipt is the verdict; without one the verification is repeated as a new attempt. */
export async function recoverVerification(
  context: RecoveryContext,
  task: Extract<LiveTask, { kind: "verification" }>,
): Promise<Recovered> {
  const state = context.state();
  const receipt = readReceipt(context.layout, task.directory);
  if (receipt !== undefined && receipt.attempt_id === task.attempt_id) {
    const judged = { liveMs: context.liveMs(), recovered: true };
    context.commit({ kind: "verified", verified: verifiedOf(state, task, { receipt }, judged) });
    return SETTLED;
  }
  const files = iterationLayout(join(context.layout.directory, task.directory));
  return abandonAttempt(context, task, files, {
    shim: undefined,
    assumeGone: false,
    reason: "Its worker died before the receipt was written.",
  });
}
