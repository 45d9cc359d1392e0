import { LoopwrightError, type SessionStatus, type StopReason } from "@loopwright/protocol";
import type { State } from "@loopwright/engine";
import { runtimeLayout } from "../store/layout.ts";
import type { AccountOf } from "./accounts.ts";
import { type Assembly, assemble } from "./assemble.ts";
import { createDiscovery, type Discovery } from "./discovery.ts";
import { startNotifier } from "./notify/notifier.ts";
import { openSession, type Opening } from "./open-session.ts";
import { createReportWriter } from "./report-writer.ts";
import { isSeatDead } from "./recoverer.ts";
import { startServer } from "./routes/server.ts";
import type { Seams } from "./seams.ts";
import { startTicking } from "./tick.ts";
import { createTokens } from "./tokens.ts";

export interface CoordinatorOptions {
  readonly seams: Seams;
  readonly runtimeRoot: string;
  readonly goalId: string;
  readonly open: Opening;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: any free one. */
  readonly port?: number;
  readonly version: string;
  /** Whose limits an agent meets; default: nobody knows. */
  readonly accountOf?: AccountOf;
  /** One line about something unexpected, for whoever reads the process's output. */
  readonly onProblem?: (text: string) => void;
}

/**
 * `status` "running": it was closed before the session ended.
 * `lost`: another coordinator took over, or the disk can't be trusted any more. The process has to exit; the journal
 * says how things stand.
 */
export type Ended =
  | { readonly status: SessionStatus; readonly stop_reason: StopReason | null }
  | { readonly lost: true; readonly error: LoopwrightError };

export interface Coordinator {
  readonly sessionId: string;
  readonly url: string;
  readonly workerToken: string;
  readonly peopleToken: string;
  readonly epoch: number;
  state(): State;
  /** Resolves once, when the session is terminal and its worker was told, or when the coordinator is lost or closed. */
  readonly ended: Promise<Ended>;
  /** Lets go: answers nobody any more, writes the projections, gives up its locks. May be called at any time. */
  close(): Promise<void>;
}

/**
 * Takes the goal's and the checkout's lock, opens or creates the session, serves it, and recovers what a crash left.
 * Throws LOCK_HELD, LOCK_UNKNOWN_HOLDER, CHECKOUT_HELD, JOURNAL_DAMAGED, SESSION_ENDED and what the disk says.
 */
export async function startCoordinator(options: CoordinatorOptions): Promise<Coordinator> {
  const { seams, version } = options;
  const goal = runtimeLayout(options.runtimeRoot).goal(options.goalId);
  const { session, locks } = openSession(seams, options);
  const ended = Promise.withResolvers<Ended>();
  const tokens = createTokens();
  let server: Awaited<ReturnType<typeof startServer>> | undefined;
  const stopping = new AbortController();
  let closed: Promise<void> | undefined;

  const assembly: Assembly = assemble({
    seams,
    runtimeRoot: options.runtimeRoot,
    goal,
    session,
    locks,
    version,
    accountOf: options.accountOf ?? (() => null),
    reopen: options.open.kind === "existing" ? options.open.reopen : undefined,
    onLost(error) {
      stopping.abort();
      server?.refuseAll();
      ended.resolve({ lost: true, error });
    },
    onEnded(told) {
      stopping.abort();
      void finish(told);
    },
    onProblem: (error) => options.onProblem?.(sentenceOf(error)),
  });
  const { service, projections } = assembly;
  const notifier = startNotifier(
    {
      seams,
      layout: session.layout,
      settings: session.file.configuration.notify,
      cwd: goal.directory,
      onProblem: assembly.onProblem,
    },
    stopping.signal,
  );
  const report = createReportWriter(seams.disk, session);

  const finish = async (told: Promise<void>): Promise<void> => {
    projections.flush();
    report.write(service.state());
    await told;
    await notifier?.settle(FAREWELL_MS);
    const { status, stop_reason } = service.state();
    ended.resolve({ status, stop_reason });
  };

  const close = async (): Promise<void> => {
    stopping.abort();
    service.close();
    await server?.close();
    projections.flush();
    projections.close();
    session.journal.close();
    locks.release();
    const { status, stop_reason } = service.state();
    ended.resolve({ status, stop_reason });
  };

  let discovery: Discovery;
  try {
    assembly.start();
    server = await startServer({
      assembly,
      tokens,
      version,
      host: options.host ?? "127.0.0.1",
      port: options.port ?? 0,
    });
    discovery = createDiscovery(seams, session.layout, {
      sessionId: session.file.session_id,
      url: server.url,
      tokens,
      epoch: locks.epoch,
      version,
    });
    discovery.keep();
  } catch (error) {
    await close();
    throw error;
  }
  startTicking(seams.clock, assembly, discovery, stopping.signal);
  recoverAtStart(assembly);

  return {
    sessionId: session.file.session_id,
    url: server.url,
    workerToken: tokens.worker,
    peopleToken: tokens.people,
    epoch: locks.epoch,
    state: () => service.state(),
    ended: ended.promise,
    close: () => (closed ??= close()),
  };
}

/** How long the last notice may take before the process of an ended session goes; the next start sends it again. */
const FAREWELL_MS = 15_000;

/** What the coordinator before left: a task whose worker is dead, a stop that wasn't carried out, a told end. */
function recoverAtStart({ seams, service, recoverer, ender, onProblem }: Assembly): void {
  const { task, stop_requested } = service.state();
  service.dispatch();
  if (task === null) return;
  if (stop_requested !== null && stop_requested.mode !== "graceful") {
    ender.carryOut().catch(onProblem);
    return;
  }
  recoverer
    .exclusively(async (recover) => {
      if (isSeatDead({ processes: seams.processes }, service))
        await recover({ worker: false, foreign: false });
    })
    .catch(onProblem);
}

function sentenceOf(error: unknown): string {
  if (error instanceof LoopwrightError) return `${error.message} (${error.code})`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
