import type { PauseReason, Phase, ProjectedSession } from "@loopwright/protocol";
import type { Holder } from "./holder.ts";

/** What of the world a phase depends on, beside what the journal says. */
export interface PhaseFacts {
  readonly coordinator: Holder["liveness"];
  /** The seat's holder; `none`: the seat is free. */
  readonly worker: Holder["liveness"];
  /** Wall milliseconds. */
  readonly now: number;
}

type Subject = Pick<
  ProjectedSession,
  "status" | "paused" | "task" | "questions" | "claim" | "hold_until"
>;

/** What a session is doing. Running without a living coordinator is `interrupted`, never running. */
export function phaseOf(session: Subject, { coordinator, worker, now }: PhaseFacts): Phase {
  const { status, paused, task, questions, claim, hold_until: hold } = session;
  if (status !== "running") return "ended";
  if (paused !== null && task === null)
    return goesOnWithoutYou(paused.reason) ? "paused" : "waiting_you";
  if (coordinator === "none" || coordinator === "dead") return "interrupted";
  if (task !== null && worker === "dead") return "recovering";
  if (task !== null) return task.kind === "verification" ? "verifying" : "executing";
  if (questions.some(({ blocking }) => blocking)) return "waiting_you";
  if (worker === "none" || worker === "dead") return "starting";
  if (hold !== null && Date.parse(hold) > now) return "waiting_provider";
  return claim === null ? "starting" : "verifying";
}

/** A person who paused it knows, and for a full disk it resumes by itself. */
function goesOnWithoutYou(reason: PauseReason): boolean {
  return reason === "user" || reason === "disk";
}
