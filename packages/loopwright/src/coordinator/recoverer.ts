import type { Liveness, Trouble } from "@loopwright/protocol";
import { timestamp } from "../seams/clock.ts";
import type { ControlSwitch } from "./control-file.ts";
import type { LiveTime } from "./live-time.ts";
import type { Recovered, RecoveryContext, RecoveryRequest, Survivor } from "./recovery/context.ts";
import { recoverTask } from "./recovery/recover.ts";
import type { Seams } from "./seams.ts";
import type { Service } from "./service.ts";
import type { SessionLayout } from "../store/session-layout.ts";

type Recover = (request: Omit<RecoveryRequest, "ending">) => Promise<Recovered>;

/** Recoveries, one at a time. Readers, reports and writes of people go on meanwhile. */
export interface Recoverer {
  exclusively<T>(work: (recover: Recover) => Promise<T>): Promise<T>;
  /** Ends the waiting of a recovery that runs: somebody wants the end now. */
  hurry(): void;
  isBusy(): boolean;
  /** What a recovery couldn't end, for people. */
  troubles(): readonly Trouble[];
  context(): RecoveryContext;
}

export interface RecovererParts {
  readonly seams: Seams;
  readonly layout: SessionLayout;
  readonly service: Service;
  readonly control: ControlSwitch;
  readonly liveTime: LiveTime;
}

export function createRecoverer({
  seams,
  layout,
  service,
  control,
  liveTime,
}: RecovererParts): Recoverer {
  let queue: Promise<unknown> = Promise.resolve();
  let busy = 0;
  let hurried = new AbortController();
  let troubles: readonly Trouble[] = [];

  const context = (): RecoveryContext => ({
    seams,
    layout,
    state: () => service.state(),
    commit: (occurrence) => void service.commit(occurrence),
    liveMs: () => liveTime.ms(),
    switched: () => control.claimed(),
    hurry: hurried.signal,
  });

  const recover: Recover = async (request) => {
    const requested = service.state().stop_requested?.mode;
    const ending = requested === "now" || requested === "kill";
    const found = await recoverTask(context(), { ...request, ending });
    troubles =
      found.kind === "leftovers" ? [leftoverTrouble(found.survivors, timestamp(seams.clock))] : [];
    return found;
  };

  return {
    exclusively(work) {
      busy += 1;
      const turn = queue.then(() => work(recover));
      queue = turn.then(
        () => (busy -= 1),
        () => (busy -= 1),
      );
      return turn;
    },
    hurry() {
      hurried.abort();
      hurried = new AbortController();
    },
    isBusy: () => busy > 0,
    troubles: () => troubles,
    context,
  };
}

/** Whether the seat's holder can no longer do anything. */
export function isSeatDead(seams: Pick<Seams, "processes">, service: Service): boolean {
  const { seat } = service.state();
  const liveness: Liveness = seat === null ? "dead" : seams.processes.liveness(seat);
  return liveness === "dead";
}

function leftoverTrouble(survivors: readonly Survivor[], since: string): Trouble {
  const pids = survivors.map(({ pid }) => pid).slice(0, 10);
  return {
    kind: "leftovers",
    severity: "high",
    text: `Processes of an attempt may still run (${pids.join(", ")}); nothing new is started before they are gone.`,
    since,
    next_command: `kill ${pids.join(" ")}`,
  };
}
