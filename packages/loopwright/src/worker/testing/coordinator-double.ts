import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { WorkerAnswer } from "@loopwright/protocol";

export interface Received {
  readonly path: string;
  readonly token: string | undefined;
  readonly bytes: number;
  readonly body: Record<string, unknown>;
}

/** What the double does with one request. `drop`: closes the connection without an answer; `hold`: until released. */
export type Reaction =
  | WorkerAnswer
  | { readonly drop: true }
  | { readonly hold: Promise<WorkerAnswer> }
  | { readonly status: number; readonly body?: object };

/** A coordinator that speaks the worker's two endpoints over real HTTP and does as it is told. */
export interface CoordinatorDouble {
  readonly url: string;
  readonly received: Received[];
  close(): Promise<void>;
}

export async function startDouble(
  react: (request: Received, count: number) => Reaction | Promise<Reaction>,
  port = 0,
): Promise<CoordinatorDouble> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void read(request).then(async (text) => {
      const body = JSON.parse(text) as Record<string, unknown>;
      const token = request.headers.authorization?.replace("Bearer ", "");
      const one = { path: request.url ?? "", token, bytes: Buffer.byteLength(text), body };
      received.push(one);
      await answer(response, await react(one, received.length));
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function answer(response: ServerResponse, reaction: Reaction): Promise<void> {
  if ("drop" in reaction) return void response.destroy();
  if ("hold" in reaction) return send(response, 200, await reaction.hold);
  if ("action" in reaction) return send(response, 200, reaction);
  send(response, reaction.status, reaction.body ?? {});
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
