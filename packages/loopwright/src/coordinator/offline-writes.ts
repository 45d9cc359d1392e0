import { createHash } from "node:crypto";
import { type Occurrence, type State, stateFileOf } from "@loopwright/engine";
import {
  type InputFile,
  LoopwrightError,
  type pauseBody,
  type ResolveBody,
  type resumeBody,
  type stopBody,
  type updateBody,
} from "@loopwright/protocol";
import type { z } from "zod";
import { StateMoved } from "../read-api/http/state-moved.ts";
import { timestamp } from "../seams/clock.ts";
import { createDurable } from "../store/durable-write.ts";
import { runtimeLayout } from "../store/layout.ts";
import { makeOwnDirectory } from "../store/own-directory.ts";
import { raisedTo } from "./limits.ts";
import { commitOffline, type OfflineOptions } from "./offline.ts";
import { settleOffline } from "./plan/settle-offline.ts";

export type OfflineRequest =
  | { readonly name: "stop"; readonly body: z.output<typeof stopBody> }
  | { readonly name: "pause"; readonly body: z.output<typeof pauseBody> }
  | { readonly name: "resume"; readonly body: z.output<typeof resumeBody> }
  | { readonly name: "resolve"; readonly body: ResolveBody }
  | {
      readonly name: "update";
      readonly body: z.output<typeof updateBody>;
      readonly key: string | undefined;
    };

/**
 * What people ask of a session whose coordinator doesn't live, journaled in its place. `next_command`: what makes it go
 * on. Throws LOCK_HELD when one lives after all, SESSION_ENDED, STATE_MOVED.
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
  if (request.name === "update") return keepGuidance({ ...options, sessionId }, request);
  const { seq, state } = await commitOffline({ ...options, sessionId }, (now) => {
    refuseMoved(now, request.body.expected_seq);
    return occurrenceOf(now, request);
  });
  return { seq, next_command: state.status === "running" ? "loopwright run" : null };
}

function occurrenceOf(
  state: State,
  request: Exclude<OfflineRequest, { name: "update" | "resolve" }>,
): Occurrence {
  if (request.name === "resume") {
    if (state.status === "goal_met") throw ended(state);
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

/** A file that the next decision takes up; the same key names the same guidance. */
function keepGuidance(
  { seams, runtimeRoot, goalId, sessionId }: OfflineOptions,
  { body, key }: Extract<OfflineRequest, { name: "update" }>,
): { seq: null; id: string; next_command: string } {
  const layout = runtimeLayout(runtimeRoot).goal(goalId).session(sessionId);
  const id =
    key === undefined
      ? seams.ids.next()
      : `k${createHash("sha256").update(key).digest("hex").slice(0, 24)}`;
  const input: InputFile = { schema_version: 1, id, text: body.text, at: timestamp(seams.clock) };
  makeOwnDirectory(seams.disk, layout.directory, layout.inputs);
  createDurable(seams.disk, layout.input(id), `${JSON.stringify(input, undefined, 2)}\n`);
  return { seq: null, id, next_command: "loopwright run" };
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
