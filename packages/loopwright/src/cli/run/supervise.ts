import type { State } from "@loopwright/engine";
import { LoopwrightError } from "@loopwright/protocol";
import type { SessionLayout } from "../../store/session-layout.ts";
import type { Context } from "../context.ts";
import { followJournal } from "../follow-journal.ts";
import { openSession, type OpenedSession } from "../open-session.ts";
import type { GoalTarget } from "../target.ts";
import { type ChildEnd, type CoordinatorMember, type CrewMember, startCoordinatorChild, startWorkerChild } from "./crew.ts";
import { showLine } from "./live-view.ts";
import type { WorkerOrder } from "./orders.ts";

/** Crashes in a row, without an iteration recorded in between, after which somebody has to look. */
const PATIENCE = 5;
/** What is granted to a child that has nothing left to do. */
const FAREWELL_MS = 10_000;

export interface Supervised {
  readonly context: Context;
  readonly target: GoalTarget;
  readonly sessionId: string;
  /** Undefined: another one lives. */
  readonly coordinator: CoordinatorMember | undefined;
  /** Not ordered yet. */
  readonly worker: CrewMember<WorkerOrder>;
  readonly takeOver: boolean;
  /** Lines up to here were told already, or are nobody's news. */
  readonly after: number;
}

/**
 * Keeps a coordinator and a worker going until the session is terminal, telling what happens. A crashed one is started
 * again, which is what makes an unattended night survive it. Throws when one keeps crashing or is refused.
 */
export async function supervise(supervised: Supervised): Promise<State> {
  const { context, target, sessionId, after } = supervised;
  const layout = target.layout.session(sessionId);
  const ending = new AbortController();
  const crashes = { inRow: 0 };
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  const keeper = keep(supervised, layout, crashes, ending.signal, (error) => failed.reject(error));
  const opened = openSession(target, sessionId);
  for (const line of opened.lines) if (line.seq > after) showLine(context.output, line);
  const followed = followJournal(
    context.seams,
    opened,
    (line) => {
      if (line.records.some(({ type }) => type === "task_finished")) crashes.inRow = 0;
      showLine(context.output, line);
    },
    { signal: ending.signal, everyMs: 50 },
  );
  try {
    return await Promise.race([followed, failed.promise]);
  } finally {
    ending.abort();
    await keeper.leave();
  }
}

interface Keeper {
  /** Waits for the children to end, which they do by themselves when the session is over. */
  leave(): Promise<void>;
}

function keep(
  supervised: Supervised,
  layout: SessionLayout,
  crashes: { inRow: number },
  over: AbortSignal,
  fail: (error: unknown) => void,
): Keeper {
  const { context, target, sessionId, takeOver } = supervised;
  const { output, seams } = context;
  const living = new Set<{ terminate(): void; ended: Promise<ChildEnd> }>();

  /** False: the session is over, or this kind of end is not one to start again after. */
  const goesOn = async (role: string, end: ChildEnd): Promise<boolean> => {
    if (over.aborted || isOver(target, sessionId)) return false;
    if (end.kind === "refused") throw end.error;
    crashes.inRow += 1;
    if (crashes.inRow > PATIENCE) throw gaveUp(role, end);
    output.warn(`the ${role} ${end.kind === "crashed" ? `crashed${lastWords(end)}` : "left"}; starting another`);
    await seams.clock.sleep(Math.min(200 * 2 ** (crashes.inRow - 1), 5000), over);
    return !over.aborted;
  };

  const watch = async (role: "coordinator" | "worker", first: CrewMember<never> | undefined, again: () => CrewMember<never>): Promise<void> => {
    for (let member = first; member !== undefined; ) {
      living.add(member);
      const end = await member.ended;
      living.delete(member);
      member = (await goesOn(role, end)) ? again() : undefined;
    }
  };

  const newCoordinator = (): CrewMember<never> => {
    const member = startCoordinatorChild();
    member.order({ runtimeRoot: target.runtimeRoot, goalId: target.goal.id, open: { kind: "existing", sessionId } });
    return member;
  };
  const order: WorkerOrder = {
    sessionDirectory: layout.directory,
    checkout: openSession(target, sessionId).session.repository,
    takeOver,
  };
  const newWorker = (): CrewMember<never> => {
    const member = startWorkerChild((text) => output.progress(`worker: ${text}`));
    member.order(order);
    return member;
  };

  const opened = openSession(target, sessionId);
  const seated = supervised.coordinator === undefined ? livingSeat(context, opened) : undefined;
  if (seated === undefined) supervised.worker.order(order);
  else {
    supervised.worker.dismiss();
    output.line(`Worker ${seated} continues with it.`);
  }
  watch("coordinator", supervised.coordinator, newCoordinator).catch(fail);
  if (seated === undefined) watch("worker", supervised.worker, newWorker).catch(fail);

  return {
    async leave() {
      const patience = new AbortController();
      const all = [...living];
      const timeout = seams.clock.sleep(isOver(target, sessionId) ? FAREWELL_MS : 0, patience.signal);
      await Promise.race([Promise.all(all.map(({ ended }) => ended)), timeout]);
      patience.abort();
      for (const member of living) member.terminate();
      await Promise.all(all.map(({ ended }) => ended));
    },
  };
}

/** `process 12 on host` when somebody works already. */
function livingSeat({ seams }: Context, { state }: OpenedSession): string | undefined {
  if (state.seat === null || seams.processes.liveness(state.seat) === "dead") return undefined;
  return `process ${state.seat.pid} on ${state.seat.host}`;
}

function isOver(target: GoalTarget, sessionId: string): boolean {
  return openSession(target, sessionId).state.status !== "running";
}

function lastWords(end: Extract<ChildEnd, { kind: "crashed" }>): string {
  const last = end.said.split("\n").filter((line) => /^\S/.test(line)).at(-1);
  return `${end.code === -1 ? " (ended by a signal)" : ` (exit ${end.code})`}${last === undefined ? "" : `: ${last.slice(0, 200)}`}`;
}

function gaveUp(role: string, end: ChildEnd): LoopwrightError {
  const detail = end.kind === "crashed" ? lastWords(end) : "";
  return new LoopwrightError("RUN_GAVE_UP", `The ${role} ended ${PATIENCE + 1} times in a row without an iteration done${detail}`, {
    hint: "Nothing is lost. Look at it with: loopwright doctor. Then go on with: loopwright run",
  });
}
