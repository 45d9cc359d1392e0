import { isLive, type Occurrence, type State } from "@loopwright/engine";
import {
  type FinishedIteration,
  type FinishedRequest,
  LoopwrightError,
  sameProcess,
} from "@loopwright/protocol";
import type { Connection } from "./connection.ts";
import type { ControlSwitch } from "./control-file.ts";
import { finishedOf, verifiedOf } from "./finished-occurrence.ts";
import type { LiveTime } from "./live-time.ts";
import type { SeatContact } from "./register.ts";
import { who } from "./locks.ts";
import type { Service } from "./service.ts";

export interface FinishedParts {
  readonly service: Service;
  readonly control: ControlSwitch;
  readonly liveTime: LiveTime;
  readonly contact: SeatContact;
}

/** `POST /finished`: the report of the live task, and then the next task. A stale one never changes anything. */
export function finished(
  parts: FinishedParts,
  request: FinishedRequest,
  connection: Connection,
): void {
  const { service, contact } = parts;
  const { seat } = service.state();
  if (seat === null || !sameProcess(seat, request.worker)) {
    const error = new LoopwrightError(
      "STALE_REPORT",
      seat === null
        ? "Nobody has the seat, so nothing can be reported"
        : `The seat is held by ${who(seat)}, so this report counts for nothing`,
      { hint: "The result stays in its iteration's directory; register to get a task." },
    );
    return connection.refuse(error, seat === null ? {} : { holder: seat });
  }
  contact.heard();
  if (isCurrent(service.state(), request)) service.lookAround();
  // Asked again: what people left may have ended the session.
  if (isCurrent(service.state(), request)) record(parts, request, connection);
  service.hold(connection);
}

function isCurrent(state: State, request: FinishedRequest): boolean {
  const { session_id, epoch, attempt_id } = request;
  const iteration = "iteration" in request ? { iteration: request.iteration } : {};
  return (
    state.status === "running" && isLive(state, { session_id, epoch, attempt_id, ...iteration })
  );
}

function record(parts: FinishedParts, request: FinishedRequest, connection: Connection): void {
  const { service } = parts;
  const next = service.nextFor(connection);
  const occurrence = occurrenceOf(parts, request);
  service.commit(next === undefined ? occurrence : { ...occurrence, next });
}

type Settling = Extract<Occurrence, { kind: "finished" | "verified" }>;

function occurrenceOf(
  { service, control, liveTime }: FinishedParts,
  request: FinishedRequest,
): Settling {
  const state = service.state();
  const { task } = state;
  const liveMs = liveTime.ms();
  if (isIteration(request)) {
    if (task?.kind !== "workflow" || task.workflow_id !== request.workflow_id)
      throw otherKind(state);
    const judged = {
      resultSha256: request.result_sha256,
      liveMs,
      recovered: false,
      switched: control.claimed(),
    };
    return { kind: "finished", finished: finishedOf(request, judged) };
  }
  if (task?.kind !== "verification") throw otherKind(state);
  return {
    kind: "verified",
    verified: verifiedOf(state, task, request, { liveMs, recovered: false }),
  };
}

function isIteration(request: FinishedRequest): request is FinishedIteration {
  return "result_sha256" in request;
}

function otherKind({ task }: State): LoopwrightError {
  const what =
    task?.kind === "workflow" ? `an iteration of "${task.workflow_id}"` : "a verification";
  return new LoopwrightError(
    "BODY_INVALID",
    `The live task is ${what}, and this report is of something else`,
  );
}
