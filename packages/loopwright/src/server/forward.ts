import { discoveryFile, LoopwrightError } from "@loopwright/protocol";
import type { Processes } from "../process/processes.ts";
import { http } from "../seams/node-http.ts";
import { readJsonIfPresent } from "../store/read.ts";
import type { SessionLayout } from "../store/session-layout.ts";

export interface Forwarded {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

export interface LiveCoordinator {
  readonly url: string;
  readonly token: string;
}

/** Undefined: none lives, as far as can be told from here. */
export function liveCoordinator(
  processes: Pick<Processes, "liveness">,
  layout: Pick<SessionLayout, "coordinator">,
): LiveCoordinator | undefined {
  const found = readJsonIfPresent(layout.coordinator, discoveryFile);
  if (found === undefined || processes.liveness(found.identity) !== "alive") return undefined;
  // An agent may have replaced the file: our request must not leave this machine.
  const { protocol, hostname } = new URL(found.url);
  if (protocol !== "http:" || !["127.0.0.1", "[::1]", "localhost"].includes(hostname))
    return undefined;
  return { url: found.url, token: found.people_token };
}

const PATIENCE_MS = 30_000;
const ANSWER_LIMIT = 1024 * 1024;

/** The coordinator's answer, whatever it is. Throws COORDINATOR_UNREACHABLE. */
export function forward(
  { url, token }: LiveCoordinator,
  path: string,
  body: string,
  key: string | undefined,
): Promise<Forwarded> {
  return new Promise((resolve, reject) => {
    const unreachable = (cause: Error): void =>
      reject(
        new LoopwrightError(
          "COORDINATOR_UNREACHABLE",
          `The coordinator at ${url} doesn't answer (${cause.message})`,
          { cause, hint: "Look at it with: loopwright status" },
        ),
      );
    const sent = http.request(
      `${url}${path}`,
      {
        method: "POST",
        agent: false,
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          "content-length": Buffer.byteLength(body),
          ...(key === undefined ? {} : { "idempotency-key": key }),
        },
      },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          text += chunk;
          if (text.length > ANSWER_LIMIT) sent.destroy(new Error("it says too much"));
        });
        response.on("end", () => {
          const type = response.headers["content-type"] ?? "application/json";
          resolve({ status: response.statusCode ?? 502, type, text });
        });
        response.on("error", unreachable);
      },
    );
    sent.setTimeout(PATIENCE_MS, () => sent.destroy(new Error("no answer in 30 seconds")));
    sent.on("error", unreachable);
    sent.end(body);
  });
}
