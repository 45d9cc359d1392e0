import { LoopwrightError, type ProcessIdentity } from "@loopwright/protocol";
import { timestamp } from "../seams/clock.ts";
import type { RuntimeLayout } from "../store/layout.ts";
import { type Lock, readLock, takeLock, type TakeResult } from "../store/lock.ts";
import type { Seams } from "./seams.ts";

/** The goal's lock and, where agents will work, the checkout's. The goal's epoch is the fencing number. */
export interface Locks {
  readonly epoch: number;
  /** Whether somebody took over either of them. Asked before each append and again before each answer. */
  lost(): boolean;
  release(): void;
}

/** Throws LOCK_HELD or LOCK_UNKNOWN_HOLDER, naming the holder. */
export function takeGoalLock(seams: Seams, runtime: RuntimeLayout, goalId: string): Lock {
  const result = take(seams, runtime.goal(goalId).lock, "goal", goalId);
  if (result.ok) return result.lock;
  if (result.liveness === "alive") {
    throw new LoopwrightError(
      "LOCK_HELD",
      `Goal "${goalId}" already has a coordinator: ${who(result.holder)}`,
      { hint: "Stop it with `loopwright stop`, or look at it with `loopwright status`." },
    );
  }
  throw new LoopwrightError(
    "LOCK_UNKNOWN_HOLDER",
    `Goal "${goalId}" was last held by ${who(result.holder)}, of which nothing can be said from here`,
    { hint: "Look where it ran; once it is surely gone: `loopwright doctor --fix --take-over`." },
  );
}

/** Throws CHECKOUT_HELD, naming the goal that works there. */
export function takeCheckoutLock(
  seams: Seams,
  runtime: RuntimeLayout,
  goalId: string,
  tree: string,
): Lock {
  const base = runtime.checkoutLock(tree);
  const result = take(seams, base, "checkout", goalId);
  if (result.ok) return result.lock;
  const held = readLock(base);
  const other =
    held !== undefined && !held.released ? `goal "${held.file.goal_id}"` : "another goal";
  throw new LoopwrightError(
    "CHECKOUT_HELD",
    `${tree} is in use by ${other} (${who(result.holder)}), and two goals never work in one tree at once`,
    {
      hint: "Stop that goal, or give this one a work tree of its own (`git worktree add`).",
      where: tree,
    },
  );
}

export function joinLocks(goal: Lock, checkout: Lock): Locks {
  return {
    epoch: goal.epoch,
    lost: () => goal.lost() || checkout.lost(),
    release() {
      checkout.release();
      goal.release();
    },
  };
}

function take(
  seams: Seams,
  base: string,
  purpose: "goal" | "checkout",
  goalId: string,
): TakeResult {
  const { clock, disk, processes } = seams;
  return takeLock(disk, base, processes.self(), {
    liveness: (holder) => processes.liveness(holder),
    at: timestamp(clock),
    purpose,
    goalId,
  });
}

export function who({ pid, host }: ProcessIdentity): string {
  return `process ${pid} on ${host}`;
}
