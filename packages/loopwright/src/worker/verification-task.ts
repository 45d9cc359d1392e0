import { join } from "node:path";
import {
  type FinishedVerification,
  LoopwrightError,
  type VerificationTask,
} from "@loopwright/protocol";
import { goalLayout } from "../store/layout.ts";
import { watchCancel } from "./cancel-watch.ts";
import { goalDirectoryOf } from "./session-place.ts";
import type { TaskContext } from "./task-context.ts";

export type VerificationDone = Pick<FinishedVerification, "receipt" | "problem"> | "detached";

/** Runs the pinned checks. A crash before `receipt.json` leaves nothing that counts: they are run again. */
export async function runVerificationTask(
  context: TaskContext,
  task: VerificationTask,
): Promise<VerificationDone> {
  // Not needed by every session, and not by an idle worker.
  const { createPinStore, runVerification } = await import("../evaluation/index.ts");
  const { seams, launcher, detach } = context;
  const cancel = watchCancel(join(task.task_dir, "cancel.json"), task.attempt_id, seams.clock);
  const evidence = context.evidence(task.checkout, task.session_dir);
  evidence.forget();
  try {
    const end = await runVerification(
      {
        checkout: task.checkout,
        baseCommit: task.base_commit,
        pins: task.pins,
        protect: task.protect,
        checksDirectory: task.checks_directory,
        sessionId: task.session_id,
        attemptId: task.attempt_id,
        kind: task.verification,
        directory: task.task_dir,
        reuse: task.reuse,
        environment: context.environment,
        // Checks are repeated anyway: leaving, we end them.
        signal: AbortSignal.any([cancel.signal, detach]),
      },
      {
        ...seams,
        launcher,
        store: createPinStore(seams.disk, goalLayout(goalDirectoryOf(task.session_dir)).pins),
        snapshot: evidence.snapshot,
      },
    );
    if (end.kind === "cancelled" && detach.aborted) return "detached";
    if (end.kind === "receipt") return { receipt: end.receipt };
    return {
      receipt: null,
      problem: end.kind === "cancelled" ? "It was cancelled." : end.problem.slice(0, 2_000),
    };
  } catch (error) {
    if (error instanceof LoopwrightError)
      return { receipt: null, problem: error.message.slice(0, 2_000) };
    throw error;
  } finally {
    cancel.close();
  }
}
