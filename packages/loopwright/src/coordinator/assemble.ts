import type { JournalLine, LoopwrightError, RecordData, SessionFile } from "@loopwright/protocol";
import { type GoalLayout, runtimeLayout } from "../store/layout.ts";
import type { SessionLayout } from "../store/session-layout.ts";
import { type AccountOf, createAccounts } from "./accounts.ts";
import { clearPlaces } from "./clear-places.ts";
import { type ControlSwitch, createControlSwitch } from "./control-file.ts";
import { createDiskSpace, type DiskSpace } from "./disk-space.ts";
import { createEnder, type Ender } from "./ending.ts";
import { createGoalProjection, type GoalProjection } from "./goal-projection.ts";
import { createInputs } from "./inputs.ts";
import { createLedger, type Ledger, lockLost } from "./ledger.ts";
import { createLiveTime, type LiveTime } from "./live-time.ts";
import { raisedTo } from "./limits.ts";
import type { LoadedSession } from "./load-session.ts";
import type { Locks } from "./locks.ts";
import type { Reopening } from "./open-session.ts";
import { createGoalPlan } from "./plan/goal-plan.ts";
import { createProjections, type Projections } from "./projections.ts";
import { createRecoverer, type Recoverer } from "./recoverer.ts";
import { createSeatContact, type SeatContact } from "./register.ts";
import { createRequests } from "./requests.ts";
import type { Seams } from "./seams.ts";
import { settleRequests } from "./settle-requests.ts";
import { createService, type Service } from "./service.ts";
import type { TaskSource } from "./task-answer.ts";
import { createWrites, type Writes } from "./writes.ts";

/** All parts of a coordinator, put together. */
export interface Assembly {
  readonly seams: Seams;
  readonly runtimeRoot: string;
  readonly goal: GoalLayout;
  readonly layout: SessionLayout;
  readonly file: SessionFile;
  readonly source: TaskSource;
  readonly ledger: Ledger;
  readonly service: Service;
  readonly recoverer: Recoverer;
  readonly ender: Ender;
  readonly writes: Writes;
  readonly control: ControlSwitch;
  readonly liveTime: LiveTime;
  readonly contact: SeatContact;
  readonly space: DiskSpace;
  readonly projections: Projections;
  readonly projection: GoalProjection;
  readonly onProblem: (error: unknown) => void;
  /** Journals that this coordinator is at it, and what its opening asks for. */
  start(): void;
}

export interface AssemblyOptions {
  readonly seams: Seams;
  readonly runtimeRoot: string;
  readonly goal: GoalLayout;
  readonly session: LoadedSession;
  readonly locks: Locks;
  readonly version: string;
  readonly reopen: Reopening | undefined;
  readonly onLost: (error: LoopwrightError) => void;
  readonly onEnded: (told: Promise<void>) => void;
  readonly onProblem: (error: unknown) => void;
  /** Whose limits an agent meets; for who assigns tasks. */
  readonly accountOf: AccountOf;
}

export function assemble(options: AssemblyOptions): Assembly {
  const { seams, session, locks, version, onProblem } = options;
  const { layout, file, assignedFile, goalText, memory } = session;
  const requests = createRequests(seams.disk, layout);
  const control = createControlSwitch(seams.disk, layout);
  const liveTime = createLiveTime(seams.clock);
  const contact = createSeatContact(seams.clock);
  const assigned = memory.assigned();
  const source: TaskSource = {
    layout,
    file,
    earlier: assigned && { attemptId: assigned.attempt_id, file: assignedFile },
    goalText,
    assigned: memory.assigned,
    resume: memory.conversations.of,
    plan: (state) => plan.context(state),
  };
  const accounts = createAccounts(seams, runtimeLayout(options.runtimeRoot), {
    sessionId: file.session_id,
    accountOf: options.accountOf,
    onProblem,
  });
  const plan = createGoalPlan({ seams, goal: options.goal, layout, file, onProblem });

  const ledger: Ledger = createLedger({
    clock: seams.clock,
    journal: session.journal,
    locks,
    state: session.state,
    prepare: plan.prepare,
    onRecords(records) {
      // One who was replaced must not touch what the other one's worker is writing.
      if (ledger.lost()) throw lockLost();
      clearPlaces(seams.disk, layout, records);
    },
    onLine(line, state) {
      memory.apply(line);
      tellAccounts(line);
      liveTime.apply(line);
      settleRequests(requests, state, line);
      noteDrift(plan.apply(line));
      projections.touch();
    },
  });
  const tellAccounts = ({ records }: JournalLine): void => {
    for (const { type, data } of records) {
      if (type !== "task_finished") continue;
      const until = memory.notes.holds.until(data.agent, seams.clock.wall());
      if (data.cause === "rate_limited" || data.outcome === "ok") accounts.tell(data, until, file);
    }
  };
  const noteDrift = (data: RecordData<"drift_detected"> | undefined): void => {
    if (data !== undefined)
      ledger.commit({ kind: "noted", noted: { type: "drift_detected", data } });
  };
  const projections = createProjections(seams, layout, {
    state: ledger.state,
    control,
    lost: ledger.lost,
    publish() {
      plan.catchUp();
      projection.write();
    },
    onProblem,
  });
  const space = createDiskSpace({
    seams,
    reserve: options.goal.reserve,
    checkout: file.repository,
    successes: () =>
      Object.values(ledger.state().workflows).reduce((sum, own) => sum + own.successes, 0),
    // Through the service: also this may find the lock lost, or the disk past trust.
    onFull: () =>
      void service.commit({
        kind: "pause",
        pause: { reason: "disk", detail: "There is no space left on the disk.", by: "loopwright" },
      }),
  });
  const inputs = createInputs(layout, () => ledger.state().received, seams.clock.wall);
  const service = createService({
    ...options,
    source,
    ledger,
    memory,
    accounts,
    requests,
    inputs,
    control,
    space,
  });
  const recoverer = createRecoverer({ seams, layout, service, control, liveTime });
  const projection: GoalProjection = createGoalProjection({ ...options, service, recoverer });
  const ender = createEnder({ seams, layout, service, recoverer });
  const writes = createWrites({ seams, layout, goal: options.goal, service, ender, onProblem });

  return {
    seams,
    runtimeRoot: options.runtimeRoot,
    goal: options.goal,
    layout,
    file,
    source,
    ledger,
    service,
    recoverer,
    ender,
    writes,
    control,
    liveTime,
    contact,
    space,
    projections,
    projection,
    onProblem,
    start() {
      const identity = seams.processes.self();
      if (session.repaired !== undefined)
        service.commit({ kind: "repaired", repaired: session.repaired });
      service.commit({
        kind: "coordinator_started",
        started: { epoch: locks.epoch, identity, program_version: version },
      });
      reopenSession(service, options.reopen);
      settleRequests(requests, service.state());
      noteDrift(plan.settle(session.takeLines(), service.state()));
      projections.flush();
    },
  };
}

function reopenSession(service: Service, reopen: Reopening | undefined): void {
  if (reopen === undefined) return;
  const state = service.state();
  const raise = raisedTo(state, reopen.raise);
  service.commit({ kind: "resume", by: reopen.by, raise, reopen: state.status !== "running" });
}
