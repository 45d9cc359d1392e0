import { rmSync } from "node:fs";
import { type Occurrence, type State, stateFileOf } from "@loopwright/engine";
import { LoopwrightError, type WriteBody, type WriteName } from "@loopwright/protocol";
import { StateMoved } from "../read-api/http/state-moved.ts";
import { runtimeLayout } from "../store/layout.ts";
import { answerOf, keepGuidance, withdrawalOf } from "./guidance.ts";
import { raisedTo } from "./limits.ts";
import { commitOffline, type OfflineOptions } from "./offline.ts";
import { settleOffline } from "./plan/settle-offline.ts";

export type OfflineRequest = {
  readonly [N in WriteName]: {
    readonly name: N;
    readonly body: WriteBody<N>;
    /** Names guidance: the same key, the same guidance. */
    readonly key?: string | undefined;
  };
}[WriteName];
type Journaled = Exclude<OfflineRequest, { name: "update" | "resolve" }>;

/**
 * What people ask of a session whose coordinator doesn't live, journaled in its place. `next_command`: what makes it go
 * on. Throws LOCK_HELD when one lives after all, SESSION_ENDED, STATE_MOVED, QUESTION_NOT_FOUND, INPUT_NOT_FOUND.
 */
export async function writeOffline(
  options: Omit<OfflineOptions, "sessionId"> & { readonly sessionId: string | null },
  request: OfflineRequest,
): Promise<{ seq: number | null; id?: string; next_command: string | null }> {
  if (request.name === "resolve") {
    const { seq } = await settleOffline(options, request.body);
    return { seq, next_command: null };
  }
  const { sessionId } = options;
  if (sessionId === null)
    throw new LoopwrightError("SESSION_NOT_FOUND", `Goal ${options.goalId} has no session yet`);
  const layout = runtimeLayout(options.runtimeRoot).goal(options.goalId).session(sessionId);
  if (request.name === "update") {
    const id = keepGuidance(options.seams, layout, request.body.text, request.key);
    return { seq: null, id, next_command: "loopwright run" };
  }
  const { seq, state } = await commitOffline({ ...options, sessionId }, (now) => {
    refuseMoved(now, request.body.expected_seq);
    if (request.name !== "withdraw" || now.received.has(request.body.input))
      return occurrenceOf(now, request);
    // Nobody has taken it up yet.
    rmSync(layout.input(request.body.input), { force: true });
    return undefined;
  });
  return { seq, next_command: state.status === "running" ? "loopwright run" : null };
}

function occurrenceOf(state: State, request: Journaled): Occurrence {
  if (request.name === "withdraw") return withdrawalOf(state, request.body);
  if (request.name === "resume" || request.name === "answer") {
    if (state.status === "goal_met") throw ended(state);
    if (request.name === "answer") return answerOf(state, request.body);
    const { by, raise } = request.body;
    const reopen = state.status !== "running";
    return { kind: "resume", by, raise: raisedTo(state, raise), reopen };
  }
  if (state.status !== "running") throw ended(state);
  if (request.name === "pause") {
    const { by, reason } = request.body;
    return { kind: "pause", pause: { reason: "user", detail: reason, by } };
  }
  const { by, mode, reason } = request.body;
  return { kind: "stop", stop: { mode, by, ...(reason === undefined ? {} : { reason }) } };
}

function refuseMoved(state: State, expected: number | undefined): void {
  if (expected !== undefined && expected !== state.seq)
    throw new StateMoved(stateFileOf(state), expected);
}

function ended({ session_id, status, stop_reason }: State): LoopwrightError {
  return new LoopwrightError(
    "SESSION_ENDED",
    `Session ${session_id} has ended: ${status} (${stop_reason ?? "?"})`,
    {
      hint: "Open it again with `loopwright resume`, or start a new one with `loopwright run --new`.",
    },
  );
}
