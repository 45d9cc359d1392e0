import { networkInterfaces, hostname } from "node:os";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { RegistryGoal, WriteName } from "@loopwright/protocol";
import { createIdempotencyKeys } from "../read-api/http/idempotency-keys.ts";
import { listenHttp, type RunningServer } from "../read-api/http/listen.ts";
import { answerHealth, answerRead } from "../read-api/http/read-handler.ts";
import { isLoopback } from "../read-api/http/safety.ts";
import type { Processes } from "../process/processes.ts";
import type { Clock } from "../seams/clock.ts";
import type { Ids } from "../seams/ids.ts";
import type { Disk } from "../store/disk.ts";
import { openServerModel, type ServerModel } from "./server-model.ts";
import { answerSeen } from "./seen.ts";
import { callerOf, refuseReader, type ServerTokens } from "./tokens.ts";
import { answerWrite, serverWriteOf } from "./write-routes.ts";

export interface ServerSeams {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly disk: Disk;
  readonly processes: Processes;
}

export interface OfflineWrite {
  readonly name: WriteName;
  /** As the body's schema has checked it. */
  readonly body: object;
  /** `Idempotency-Key`. */
  readonly key: string | undefined;
}

export interface StatusServerOptions {
  readonly seams: ServerSeams;
  readonly registryPath: string;
  readonly runtimeRoot: string;
  readonly home: string;
  readonly version: string;
  readonly tokens: ServerTokens;
  readonly host: string;
  readonly port: number;
  /** What a coordinator would do, where none lives: under the goal's lock. Answers `{seq}`. Without a session only `resolve` is asked for. */
  readonly offline: (
    goalId: string,
    sessionId: string | null,
    write: OfflineWrite,
  ) => Promise<object>;
  readonly machine?: () => Promise<object>;
  /** Starts a loop for a goal that nobody runs. */
  readonly startRun: (goal: RegistryGoal) => Promise<Started>;
  /** Runs a goal's checks, and journals the receipt where a session is open. Answers what `check --json` says. */
  readonly runCheck: (goal: RegistryGoal) => Promise<object>;
  readonly onProblem: (error: unknown) => void;
}

/** Whether a loop that was started has a coordinator now; else what it said instead. */
export interface Started {
  readonly started: boolean;
  readonly problem: string | null;
}

export interface ServerParts extends StatusServerOptions {
  readonly model: ServerModel;
}

/**
 * Serves all goals of a registry: the read API over a model in memory, and people's writes, handed on to each goal's
 * coordinator. Writes nothing itself, so that it also works where the runtime root can only be read. Throws
 * ADDRESS_UNAVAILABLE.
 */
export async function startStatusServer(options: StatusServerOptions): Promise<RunningServer> {
  const { seams, tokens, host, port, version, onProblem } = options;
  const model = openServerModel({ ...options, instance: seams.ids.next() });
  const parts: ServerParts = { ...options, model };
  const keys = createIdempotencyKeys();
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? "/").split("?")[0] ?? "/";
    if (path === "/healthz") return answerHealth(version, request, response);
    const caller = callerOf(tokens, request.headers.authorization);
    if (path === "/seen") {
      refuseReader(caller);
      return await answerSeen(parts, request, response);
    }
    const write = serverWriteOf(path);
    if (write === undefined)
      return await answerRead(
        model,
        path,
        { kind: caller, canWrite: caller === "people" },
        request,
        response,
      );
    refuseReader(caller);
    return await answerWrite(parts, keys, write, request, response);
  };
  return await listenHttp({ host, port, names: namesOf(host), handle, onProblem });
}

/** Under which names this machine is asked for when it listens on more than itself. */
function namesOf(host: string): string[] {
  if (isLoopback(host)) return [];
  const addresses = Object.values(networkInterfaces()).flatMap((each) =>
    (each ?? []).map(({ address }) => address),
  );
  return [hostname(), "localhost", ...addresses];
}
