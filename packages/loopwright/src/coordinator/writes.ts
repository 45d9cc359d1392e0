import type { Occurrence, State } from "@loopwright/engine";
import { endingText, LoopwrightError, type WriteBody } from "@loopwright/protocol";
import { timestamp } from "../seams/clock.ts";
import type { GoalLayout } from "../store/layout.ts";
import type { SessionLayout } from "../store/session-layout.ts";
import type { Ender, EnderParts } from "./ending.ts";
import { answerOf, keepGuidance, withdrawalOf } from "./guidance.ts";
import { raisedTo } from "./limits.ts";
import { appendDecision, settle } from "./plan/settle.ts";
import type { Service } from "./service.ts";

/** What a write became: the journal line, and for guidance its id. */
export interface Written {
  readonly seq: number;
  readonly id?: string;
}

/** What people and programs ask of a running session. Each throws SESSION_ENDED for one that is terminal. */
export interface Writes {
  stop(body: WriteBody<"stop">): Written;
  pause(body: WriteBody<"pause">): Written;
  resume(body: WriteBody<"resume">): Written;
  /** `key`: the same key names the same guidance, also after a restart. */
  update(body: WriteBody<"update">, key?: string): Written;
  /** Throws QUESTION_NOT_FOUND. */
  answer(body: WriteBody<"answer">): Written;
  /** Throws INPUT_NOT_FOUND. */
  withdraw(body: WriteBody<"withdraw">): Written;
  /** Also of a session that has ended: it is about the goal. */
  resolve(body: WriteBody<"resolve">): Written;
}

export interface WritesParts extends Pick<EnderParts, "seams" | "service"> {
  readonly layout: SessionLayout;
  readonly goal: GoalLayout;
  readonly ender: Ender;
  /** An error after the answer is out. */
  readonly onProblem: (error: unknown) => void;
}

export function createWrites(parts: WritesParts): Writes {
  const { service } = parts;
  return {
    stop(body) {
      const { mode, by, reason } = body;
      const seq = commit(service, {
        kind: "stop",
        stop: { mode, by, ...(reason === undefined ? {} : { reason }) },
      });
      parts.ender.carryOut().catch(parts.onProblem);
      service.dispatch();
      return { seq };
    },
    pause({ by, reason }) {
      return {
        seq: commit(service, { kind: "pause", pause: { reason: "user", detail: reason, by } }),
      };
    },
    resume({ by, raise }) {
      const state = running(service);
      const seq = commit(service, {
        kind: "resume",
        by,
        raise: raisedTo(state, raise),
        reopen: false,
      });
      service.dispatch();
      return { seq };
    },
    update({ text }, key) {
      running(service);
      const id = keepGuidance(parts.seams, parts.layout, text, key);
      // A crash here leaves the file, which is taken at the next decision.
      service.lookAround();
      service.dispatch();
      return { seq: service.state().seq, id };
    },
    answer(body) {
      const seq = commit(service, answerOf(running(service), body));
      service.dispatch();
      return { seq };
    },
    withdraw(body) {
      running(service);
      service.lookAround();
      return { seq: commit(service, withdrawalOf(service.state(), body)) };
    },
    resolve(body) {
      const { seams, goal } = parts;
      const at = timestamp(seams.clock);
      const state = service.state();
      const { occurrence } = settle(goal, state, { goalId: state.goal_id, body, at });
      if (occurrence !== undefined) {
        service.commit(occurrence);
        appendDecision(seams, goal, body, at);
      }
      return { seq: service.state().seq };
    },
  };
}

function commit(service: Service, occurrence: Occurrence): number {
  running(service);
  service.commit(occurrence);
  return service.state().seq;
}

function running(service: Service): State {
  const state = service.state();
  if (state.status === "running") return state;
  throw new LoopwrightError(
    "SESSION_ENDED",
    `Session ${state.session_id} has ended: ${endingText(state.status, state.stop_reason)}`,
    {
      hint: "Open it again with `loopwright resume`, or start a new one with `loopwright run --new`.",
    },
  );
}
