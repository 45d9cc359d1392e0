import type { State } from "@loopwright/engine";
import { type ErrorCode, LoopwrightError } from "@loopwright/protocol";
import type { Clock } from "../../seams/clock.ts";
import type { Context } from "../context.ts";
import { openSession } from "../open-session.ts";
import { holderOf } from "../../control-plane/projection/index.ts";
import type { GoalTarget } from "../target.ts";
import {
  type ChildEnd,
  type CoordinatorMember,
  type CrewMember,
  startCoordinatorChild,
  startWorkerChild,
} from "./crew.ts";
import type { WorkerOrder } from "./orders.ts";
import { saidError } from "./said-error.ts";

/** Crashes in a row, without an iteration recorded in between, after which somebody has to look. */
const PATIENCE = 5;
/** What is granted to a child that has nothing left to do. */
const FAREWELL_MS = 10_000;
/** Between two tries on a full disk. The session pauses for that, and goes on by itself. */
const DISK_PAUSE_MS = 5_000;
/** How often somebody else's coordinator or worker is looked at. */
const LOOK_AGAIN_MS = 200;

export interface Supervised {
  readonly context: Context;
  readonly target: GoalTarget;
  readonly sessionId: string;
  /** Undefined: another one lives. */
  readonly coordinator: CoordinatorMember | undefined;
  /** Not ordered yet. */
  readonly worker: CrewMember<WorkerOrder>;
  readonly takeOver: boolean;
}

export interface Crew {
  /** Rejects when one keeps crashing or is refused; never resolves. */
  readonly failed: Promise<never>;
  /** An iteration was done: the crashes before it don't count any more. */
  calm(): void;
  /** Waits for the children to end, which they do by themselves when the session is over. */
  leave(): Promise<void>;
}

/** One of the two posts, and how it is filled. */
interface Post {
  readonly role: "coordinator" | "worker";
  /** What refuses a child because somebody else is at it. */
  readonly taken: ErrorCode;
  /** Somebody who is at it and isn't our child, for people. */
  readonly other: () => string | undefined;
  readonly start: () => CrewMember<never>;
}

export function keepCrew(
  supervised: Supervised,
  session: { readonly state: () => State; readonly over: AbortSignal },
): Crew {
  const { context, target, sessionId, takeOver } = supervised;
  const { output, seams } = context;
  const { over } = session;
  const living = new Set<CrewMember<never>>();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  let crashes = 0;

  /** Goes on when a dead child is to be replaced; throws when that would be no use. */
  const mourn = async ({ role, taken }: Post, end: ChildEnd): Promise<void> => {
    if (over.aborted || isOver(target, sessionId)) return;
    const code = end.kind === "refused" ? end.error.code : undefined;
    // Another `run` was quicker: its child is looked at from now on.
    if (code === taken || code === "LOCK_LOST") return seams.clock.sleep(LOOK_AGAIN_MS, over);
    if (code === "DISK_FULL") {
      output.warn(`the ${role} has no room on the disk${lastWords(end)}; it is tried again`);
      return seams.clock.sleep(DISK_PAUSE_MS, over);
    }
    // A disk that failed once is worth another try: what it holds is read anew.
    if (end.kind === "refused" && code !== "DISK_FAILED") throw end.error;
    if (context.debug && end.kind === "crashed") output.progress(end.said);
    crashes += 1;
    if (crashes > PATIENCE) throw gaveUp(role, end);
    const how = end.kind === "done" ? "left" : `crashed${lastWords(end)}`;
    output.warn(`the ${role} ${how}; starting another`);
    await seams.clock.sleep(Math.min(200 * 2 ** (crashes - 1), 5000), over);
  };

  const fill = async (post: Post, first: CrewMember<never> | undefined): Promise<void> => {
    for (
      let member = first;
      !over.aborted && session.state().status === "running";
      member = undefined
    ) {
      const other = member === undefined ? post.other() : undefined;
      if (other !== undefined) {
        output.progress(`The ${post.role} of ${other} continues with it.`);
        while (post.other() === other && !over.aborted)
          await seams.clock.sleep(LOOK_AGAIN_MS, over);
        continue;
      }
      const child = member ?? post.start();
      living.add(child);
      const end = await child.ended;
      living.delete(child);
      await mourn(post, end);
    }
  };

  const order: WorkerOrder = {
    sessionDirectory: target.layout.session(sessionId).directory,
    checkout: openSession(target, sessionId).session.repository,
    takeOver,
  };
  const coordinator: Post = {
    role: "coordinator",
    taken: "LOCK_HELD",
    other() {
      const { liveness, pid, host } = holderOf(target.layout.lock, seams.processes);
      return liveness === "alive" ? `process ${pid} on ${host}` : undefined;
    },
    start() {
      const member = startCoordinatorChild(context);
      member.order({
        runtimeRoot: target.runtimeRoot,
        goalId: target.goal.id,
        open: { kind: "existing", sessionId },
      });
      return member;
    },
  };
  const worker: Post = {
    role: "worker",
    taken: "SEAT_TAKEN",
    other() {
      const { seat } = session.state();
      return seat !== null && seams.processes.liveness(seat) === "alive"
        ? `process ${seat.pid} on ${seat.host}`
        : undefined;
    },
    start() {
      const member = startWorkerChild(context);
      member.order(order);
      return member;
    },
  };

  const seated = worker.other() !== undefined;
  if (seated) supervised.worker.dismiss();
  else supervised.worker.order(order);
  fill(coordinator, supervised.coordinator).catch(failed.reject);
  fill(worker, seated ? undefined : supervised.worker).catch(failed.reject);

  return {
    failed: failed.promise,
    calm() {
      crashes = 0;
    },
    async leave() {
      const all = Promise.all([...living].map(({ ended }) => ended));
      if (session.state().status !== "running") await within(FAREWELL_MS, seams.clock, all);
      for (const member of living) member.terminate();
      await within(FAREWELL_MS, seams.clock, all);
      for (const member of living) member.kill();
      await all;
    },
  };
}

/** Waits, but not longer than this many monotonic milliseconds. */
async function within(ms: number, clock: Clock, work: Promise<unknown>): Promise<void> {
  const done = new AbortController();
  await Promise.race([work, clock.sleep(ms, done.signal)]);
  done.abort();
}

function isOver(target: GoalTarget, sessionId: string): boolean {
  return openSession(target, sessionId).state.status !== "running";
}

function lastWords(end: ChildEnd): string {
  if (end.kind === "done") return "";
  if (end.kind === "refused") return `: ${end.error.message}`;
  const { message } = saidError(end.said);
  return `${end.code === -1 ? " (ended by a signal)" : ` (exit ${end.code})`}${message === undefined ? "" : `: ${message}`}`;
}

function gaveUp(role: string, end: ChildEnd): LoopwrightError {
  return new LoopwrightError(
    "RUN_GAVE_UP",
    `The ${role} ended ${PATIENCE + 1} times in a row without an iteration done${lastWords(end)}`,
    {
      hint: "Nothing is lost. Look at it with: loopwright doctor. Then go on with: loopwright run",
    },
  );
}
