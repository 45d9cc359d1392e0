import { setFlagsFromString } from "node:v8";
import { LoopwrightError } from "@loopwright/protocol";
import { isLoopback } from "../../read-api/http/safety.ts";
import { startStatusServer } from "../../server/server.ts";
import { newToken, readTokenFile } from "../../server/tokens.ts";
import type { OfflineRequest } from "../../coordinator/offline-writes.ts";
import type { Invocation } from "../catalogue/dispatch.ts";
import type { Context } from "../context.ts";
import { findRegistry } from "../target.ts";
import { VERSION } from "../version.ts";

interface ServeOptions {
  readonly host: string;
  readonly port: number;
  readonly tokenFile?: string;
  readonly readTokenFile?: string;
}

/** Serves until somebody ends it. */
export async function run(context: Context, { options }: Invocation): Promise<number> {
  // Answers are short-lived: a young generation that grows with them only keeps rubbish, tens of MB of it, for days.
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--heap-growing-percent=30");
  const { host, port, tokenFile, readTokenFile: readFile } = options as unknown as ServeOptions;
  const { seams, output, home } = context;
  if (!isLoopback(host) && tokenFile === undefined && readFile === undefined) {
    throw new LoopwrightError(
      "USAGE",
      `Others can reach ${host}, so the token has to come from a file`,
      {
        hint: "Add --token-file F, or --read-token-file F for a server that shows and changes nothing.",
      },
    );
  }
  const target = findRegistry(context);
  const { registryPath, runtimeRoot } = target;
  const people = tokenFile === undefined ? newToken() : readTokenFile(tokenFile);
  const server = await startStatusServer({
    seams,
    registryPath,
    runtimeRoot,
    home,
    version: VERSION,
    host,
    port,
    tokens: { people, read: readFile === undefined ? undefined : readTokenFile(readFile) },
    async offline(goalId, sessionId, write) {
      const { writeOffline } = await import("../../coordinator/offline-writes.ts");
      const at = { seams, runtimeRoot, goalId, sessionId, version: VERSION };
      return await writeOffline(at, write as OfflineRequest);
    },
    async startRun(goal) {
      const { startRun } = await import("../serve/own-commands.ts");
      return await startRun(context, target, goal);
    },
    async runCheck(goal) {
      const { runCheck } = await import("../serve/own-commands.ts");
      return await runCheck(target, goal);
    },
    async machine() {
      const { diagnoseMachine } = await import("../doctor/machine.ts");
      return { schema_version: 1, findings: await diagnoseMachine(context, target) };
    },
    onProblem: (error) => output.warn(error instanceof Error ? error.message : String(error)),
  });
  output.line(`${registryPath} is served at ${server.url}`);
  // Whoever can read the file needs no second copy, in whatever keeps this output.
  const shown = tokenFile === undefined && isLoopback(host) ? people : null;
  if (shown !== null) output.line(`Token: ${shown}`);
  output.document({
    url: server.url,
    token: shown,
    registry: registryPath,
    runtime_root: runtimeRoot,
  });
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, resolve);
  });
  await server.close();
  return 0;
}
