import { type Next, type Occurrence, type State, waiting } from "@loopwright/engine";
import { type DecisionFacts, type JournalLine, LoopwrightError } from "@loopwright/protocol";
import { isFatal } from "../store/journal.ts";
import type { Accounts } from "./accounts.ts";
import type { Connection } from "./connection.ts";
import type { ControlSwitch } from "./control-file.ts";
import type { DiskSpace } from "./disk-space.ts";
import { gatherFacts } from "./facts.ts";
import { createHeldAnswer } from "./held-answer.ts";
import type { Inputs } from "./inputs.ts";
import { type Ledger, lockLost } from "./ledger.ts";
import type { Memory } from "./memory.ts";
import type { Requests } from "./requests.ts";
import type { Seams } from "./seams.ts";
import { stopAnswer, taskAnswer, type TaskSource } from "./task-answer.ts";

/** What the service works with; everything that it changes is changed through `ledger`. */
export interface ServiceParts {
  readonly seams: Seams;
  readonly source: TaskSource;
  readonly ledger: Ledger;
  readonly memory: Memory;
  readonly accounts: Accounts;
  readonly requests: Requests;
  readonly inputs: Inputs;
  readonly control: ControlSwitch;
  readonly space: DiskSpace;
  /** The lock is lost, or what is on the disk is no longer known: nobody is answered any more. */
  readonly onLost: (error: LoopwrightError) => void;
  /** The session is terminal; `told` resolves when its worker knows, or nobody is there to be told. */
  readonly onEnded: (told: Promise<void>) => void;
}

/** Gathers facts, asks the engine, commits, answers. Synchronous throughout: nothing can come in between. */
export interface Service {
  state(): State;
  /** What the next decision would depend on. */
  facts(): DecisionFacts;
  /** Commits, or throws; a full disk has then been paused for, and a lost lock been told. */
  commit(occurrence: Occurrence): JournalLine | undefined;
  /** Takes what people left in files: guidance, and the stop switch. Undoes what they may not write. */
  lookAround(): void;
  /** What a decision needs to assign into this connection; undefined when nobody would get it. */
  nextFor(connection: Connection): Next | undefined;
  /** Keeps the seat's connection until there is something to say, which may be now. */
  hold(connection: Connection): void;
  /** The seat's worker waits for an answer right now. */
  isConnected(): boolean;
  /** Says what there is to say to the held connection, deciding it where that is still to be done. */
  dispatch(): void;
  /** The lock is lost: nobody is answered any more. */
  giveUp(): void;
  close(): void;
}

export function createService(parts: ServiceParts): Service {
  const { seams, source, ledger, space } = parts;
  const held = createHeldAnswer();
  const closing = new AbortController();
  let alarm: AbortController | undefined;
  let retry: { readonly key: number; readonly at: number } | undefined;
  let ended = false;

  const guarded = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof LoopwrightError)) throw error;
      if (isFatal(error) || error.code === "LOCK_LOST") parts.onLost(error);
      else if (error.code === "DISK_FULL") space.ranOut();
      throw error;
    }
  };

  const commit = (occurrence: Occurrence): JournalLine | undefined =>
    guarded(() => ledger.commit(occurrence));

  const lookAround = (): void => {
    if (ledger.state().status !== "running") return;
    guarded(() => ledger.settle());
    const inputs = parts.inputs.fresh();
    if (inputs.length > 0) commit({ kind: "inputs", inputs });
    const stop = parts.control.personalStop();
    if (stop !== undefined) {
      commit({
        kind: "stop",
        stop: {
          mode: "graceful",
          by: "control.json",
          ...(stop.reason === "" ? {} : { reason: stop.reason }),
        },
      });
    }
  };

  const facts = (): DecisionFacts =>
    gatherFacts(seams.clock, ledger.state(), source.file, {
      requests: parts.requests,
      holds: parts.memory.notes.holds,
      accounts: parts.accounts,
    });

  const nextFor = (connection: Connection): Next | undefined =>
    connection.open() && !space.isOut()
      ? { attempt_id: seams.ids.next(), facts: facts() }
      : undefined;

  /** How long the engine wants to be left alone, in milliseconds; undefined when it may be asked. */
  const restMs = (state: State, now: DecisionFacts): number | undefined => {
    const found = waiting(state, now);
    if (found === null) return undefined;
    if (found.for !== "retry")
      return found.until === undefined ? Infinity : Date.parse(found.until) - seams.clock.wall();
    const key = state.gate.verifications;
    if (retry?.key !== key) retry = { key, at: seams.clock.monotonic() + (found.ms ?? 0) };
    const rest = retry.at - seams.clock.monotonic();
    return rest > 0 ? rest : undefined;
  };

  const decide = (connection: Connection): void => {
    lookAround();
    if (ledger.state().status !== "running" || space.isOut()) return;
    const now = facts();
    const rest = restMs(ledger.state(), now);
    if (rest !== undefined) return wake(rest);
    if (connection.open())
      commit({ kind: "next", next: { attempt_id: seams.ids.next(), facts: now } });
  };

  /** Asks again then. A laptop may sleep meanwhile, so a long wait is looked at again before. */
  const wake = (ms: number): void => {
    alarm?.abort();
    if (ms === Infinity) return;
    const { signal } = (alarm = new AbortController());
    void seams.clock.sleep(Math.min(Math.max(ms, 1), 5_000), signal).then(() => {
      if (!signal.aborted && !closing.signal.aborted) dispatch();
    });
  };

  const end = (told: Promise<void> | undefined): void => {
    if (ended) return;
    ended = true;
    parts.onEnded(told ?? Promise.resolve());
  };

  const dispatch = (): void => {
    const waitingOne = held.current();
    try {
      if (waitingOne !== undefined && ledger.state().task === null) decide(waitingOne);
    } catch (error) {
      // Already told where it matters; the connection is kept, and the next look tries again.
      if (!(error instanceof LoopwrightError)) throw error;
    }
    const state = ledger.state();
    if (state.status === "running" && state.task === null) return;
    const connection = held.take();
    if (connection !== undefined) answer(connection, state);
    if (state.status !== "running") end(connection?.over);
  };

  const answer = (connection: Connection, state: State): void => {
    if (ledger.lost()) return parts.onLost(lockLost());
    if (state.status !== "running") return connection.answer(stopAnswer(state));
    if (state.task !== null) connection.answer(taskAnswer(source, state, state.task));
  };

  return {
    state: () => ledger.state(),
    facts,
    commit,
    lookAround,
    nextFor,
    hold(connection) {
      held.hold(connection);
      dispatch();
    },
    isConnected: () => held.current() !== undefined,
    dispatch,
    giveUp: () => parts.onLost(lockLost()),
    close() {
      closing.abort();
      alarm?.abort();
      held.take()?.drop();
    },
  };
}
