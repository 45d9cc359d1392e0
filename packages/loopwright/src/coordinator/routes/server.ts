import { LoopwrightError } from "@loopwright/protocol";
import { createIdempotencyKeys } from "../../read-api/http/idempotency-keys.ts";
import { listenHttp, type RunningServer } from "../../read-api/http/listen.ts";
import { isLoopback } from "../../read-api/http/safety.ts";
import type { Assembly } from "../assemble.ts";
import type { Tokens } from "../tokens.ts";
import { createRouter } from "./router.ts";

export interface ServerOptions {
  readonly assembly: Assembly;
  readonly tokens: Tokens;
  readonly version: string;
  readonly host: string;
  readonly port: number;
}

export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { assembly, host, port } = options;
  if (!isLoopback(host)) {
    throw new LoopwrightError(
      "USAGE",
      `A coordinator only listens on this machine, not on ${host}`,
      {
        hint: "Leave --host away.",
      },
    );
  }
  const handle = createRouter({ ...options, keys: createIdempotencyKeys() });
  return await listenHttp({ host, port, handle, onProblem: assembly.onProblem });
}
