import { realpathSync } from "node:fs";
import { LoopwrightError, plural, type RegisterRequest, sameProcess } from "@loopwright/protocol";
import type { Connection } from "./connection.ts";
import type { Recoverer } from "./recoverer.ts";
import type { Seams } from "./seams.ts";
import { judgeSeat, type SeatVerdict } from "./seat.ts";
import type { Service } from "./service.ts";
import { stopAnswer, type TaskSource } from "./task-answer.ts";

export interface RegisterParts {
  readonly seams: Seams;
  readonly service: Service;
  readonly recoverer: Recoverer;
  readonly source: TaskSource;
  readonly contact: SeatContact;
}

/** When the seat's holder was last heard of. */
export interface SeatContact {
  silentMs(): number;
  heard(): void;
}

export function createSeatContact(clock: Seams["clock"]): SeatContact {
  let last = clock.monotonic();
  return {
    silentMs: () => clock.monotonic() - last,
    heard() {
      last = clock.monotonic();
    },
  };
}

/** `POST /register`: the seat, and then the live task or the next one. */
export async function register(
  parts: RegisterParts,
  request: RegisterRequest,
  connection: Connection,
): Promise<void> {
  const { service } = parts;
  refuseOtherCheckout(parts.source.file.repository, request.repo.root);
  if (service.state().status !== "running") return connection.answer(stopAnswer(service.state()));
  const quick = judge(parts, request);
  if (quick.kind === "refused") return refuseSeat(parts, connection, quick.error);
  if (quick.kind === "own") return admit(parts, request, connection);
  // One at a time, and judged anew: whoever was first may have taken the seat meanwhile.
  await parts.recoverer.exclusively(async (recover) => {
    const verdict = judge(parts, request);
    if (verdict.kind === "refused") return refuseSeat(parts, connection, verdict.error);
    if (verdict.kind === "free" && service.state().task !== null) {
      const found = await recover({ worker: true, foreign: verdict.foreign });
      if (found.kind === "leftovers") return refuseLeftovers(parts, connection, found.survivors);
    }
    if (connection.open()) admit(parts, request, connection);
  });
}

function admit(
  { service, contact }: RegisterParts,
  request: RegisterRequest,
  connection: Connection,
): void {
  const state = service.state();
  if (state.status !== "running") return connection.answer(stopAnswer(state));
  if (state.seat === null || !sameProcess(state.seat, request.worker)) {
    const { worker: identity, repo, take_over } = request;
    service.commit({ kind: "seated", seated: { identity, checkout: repo.root, take_over } });
  }
  contact.heard();
  service.hold(connection);
}

function judge(
  { seams, service, source, contact }: RegisterParts,
  request: RegisterRequest,
): SeatVerdict {
  const state = service.state();
  return judgeSeat(state, request.worker, () => ({
    liveness: state.seat === null ? "dead" : seams.processes.liveness(state.seat),
    takeOver: request.take_over,
    silentMs: service.isConnected() ? 0 : contact.silentMs(),
    takeoverAfterMs: source.file.configuration.takeover_after,
  }));
}

function refuseSeat(
  { service }: RegisterParts,
  connection: Connection,
  error: LoopwrightError,
): void {
  const { seat, task } = service.state();
  connection.refuse(error, {
    ...(seat === null ? {} : { holder: seat }),
    ...(task === null ? {} : { iteration: task.iteration }),
  });
}

function refuseLeftovers(
  { service }: RegisterParts,
  connection: Connection,
  survivors: readonly { pid: number; command: string }[],
): void {
  const { task } = service.state();
  const first = survivors[0];
  connection.refuse(
    new LoopwrightError(
      "LEFTOVERS_ALIVE",
      `${plural(survivors.length, "process", "processes")} of the attempt before may still run, first ${first?.pid ?? "?"} (${first?.command ?? "?"})`,
      { hint: "End them, then start the worker again; nothing new is started before." },
    ),
    task === null ? {} : { iteration: task.iteration },
  );
}

function refuseOtherCheckout(expected: string, found: string): void {
  if (found === expected || realPath(found) === expected) return;
  throw new LoopwrightError(
    "WRONG_CHECKOUT",
    `This session works in ${expected}, but the worker stands in ${found}`,
    {
      hint: `Start the worker there: loopwright -C ${expected} worker`,
    },
  );
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
