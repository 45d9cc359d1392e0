import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { LoopwrightError, type ProblemBody } from "@loopwright/protocol";
import { http } from "../../seams/node-http.ts";
import { InvalidBody, linger } from "./body.ts";
import { asLoopwrightError, sendProblem } from "./problem.ts";
import { hostsOf, refuseForeign } from "./safety.ts";
import { StateMoved } from "./state-moved.ts";

export interface Listening {
  readonly host: string;
  readonly port: number;
  /** More names under which it may be asked for, without port. */
  readonly names?: readonly string[];
  /** Answers one request whose Host and Origin are ours. What it throws becomes a problem answer. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Something unexpected: the caller gets a 500 without details of ours. */
  readonly onProblem: (error: unknown) => void;
}

export interface RunningServer {
  readonly url: string;
  /** Cuts every connection, and every one that still comes: nobody may be answered any more. */
  refuseAll(): void;
  /** Stops listening and lets answers that are on their way out. */
  close(): Promise<void>;
}

/** Throws ADDRESS_UNAVAILABLE. */
export async function listenHttp(options: Listening): Promise<RunningServer> {
  const { host, onProblem } = options;
  let hosts: ReadonlySet<string> = new Set();
  let refusing = false;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      refuseForeign(request, hosts);
      await options.handle(request, response);
    } catch (error) {
      refuse(onProblem, request, response, error);
    }
  };
  const server = http.createServer(
    { keepAlive: true, keepAliveInitialDelay: 30_000, maxHeaderSize: 16_384 },
    (request, response) => {
      if (refusing) return void request.socket.destroy();
      answer(request, response).catch(onProblem);
    },
  );
  // Held answers take as long as they take, and the worker's connection waits through its agent's whole run.
  server.keepAliveTimeout = 0;
  server.on("clientError", (_, socket) => socket.destroy());
  const port = await listen(server, options.port, host);
  hosts = hostsOf([host, ...(options.names ?? [])], port);
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    refuseAll() {
      refusing = true;
      server.closeAllConnections();
    },
    close: () => close(server),
  };
}

function refuse(
  onProblem: (error: unknown) => void,
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
): void {
  // The caller went away in the middle of its request: nobody is there to be told.
  if (response.destroyed || request.socket.destroyed) return;
  const known = asLoopwrightError(error);
  if (known.code === "UNEXPECTED") onProblem(error);
  sendProblem(response, known, moreOf(error));
  linger(request);
}

function moreOf(error: unknown): Partial<ProblemBody> {
  if (error instanceof InvalidBody) return { fields: error.fields };
  return error instanceof StateMoved ? { state: error.state } : {};
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(unavailable(host, port, error)));
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function unavailable(host: string, port: number, cause: Error): LoopwrightError {
  const why = (cause as NodeJS.ErrnoException).code ?? cause.message;
  return new LoopwrightError("ADDRESS_UNAVAILABLE", `Can't listen on ${host}:${port} (${why})`, {
    cause,
    hint: "Choose another port with --port, or none for a free one.",
  });
}

/** Answers that are on their way get a moment; idle and held connections are cut. */
const FAREWELL_MS = 500;

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), FAREWELL_MS);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}
