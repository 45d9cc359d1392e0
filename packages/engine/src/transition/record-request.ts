import type { RecordData, StopMode } from "@loopwright/protocol";
import { isTerminal } from "../state/state.ts";
import { add, type Draft } from "./draft.ts";
import type { Occurrence } from "./occurrence.ts";

const STRENGTH: Record<StopMode, number> = { graceful: 0, now: 1, kill: 2 };

/** A stop may grow harder, never softer. */
export function recordStop(draft: Draft, stop: RecordData<"stop_requested">): void {
  const before = draft.state.stop_requested;
  if (before !== null && STRENGTH[before.mode] >= STRENGTH[stop.mode]) return;
  add(draft, "stop_requested", stop);
}

/** What a person paused stays a person's pause; the engine's own reasons give way to it. */
export function recordPause(draft: Draft, pause: RecordData<"paused">): void {
  const before = draft.state.paused;
  if (before !== null && (before.reason === pause.reason || before.reason === "user")) return;
  add(draft, "paused", pause);
}

/** Ends a pause, or takes back a stop that waits. An ended session goes on only with `reopen`, one that met its goal never. */
export function recordResume(draft: Draft, resume: Extract<Occurrence, { kind: "resume" }>): void {
  const { by } = resume;
  if (isTerminal(draft.state)) {
    if (!resume.reopen || draft.state.status === "goal_met") return;
    add(draft, "session_reopened", { by });
  }
  for (const { limit, to } of resume.raise) {
    const from = draft.state.limits[limit];
    if (from !== to) add(draft, "limit_raised", { limit, from, to, by });
  }
  if (draft.state.paused !== null || draft.state.stop_requested !== null)
    add(draft, "resumed", { by });
}
