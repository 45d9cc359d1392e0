import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Answer, type Dialect, say, type Tokens, type Turn } from "./turn.ts";

/** A function: a turn that has to know what only shows in the run, or that the test holds back for a while. */
export type ScriptedTurn = Turn | (() => Turn | Promise<Turn>);

export interface Received {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly aside: boolean;
}

/** A model on this machine that plays a script. */
export interface ModelServer {
  readonly url: string;
  /** What it does from now on, call by call; the last turn repeats. */
  play(...turns: readonly ScriptedTurn[]): void;
  /** Calls of the model, in the order of their arrival. */
  received(): readonly Received[];
  /** The tokens of each call of the script that was answered to its end. */
  served(): readonly Tokens[];
  close(): Promise<void>;
}

/** Listens on a free port of the loopback interface. */
export async function startModelServer(dialect: Dialect): Promise<ModelServer> {
  const received: Received[] = [];
  const served: Tokens[] = [];
  let script: readonly ScriptedTurn[] = [];
  let [position, serial] = [0, 0];

  const nextTurn = async (): Promise<Turn> => {
    const scripted = script[Math.min(position, script.length - 1)] ?? say("Nothing is left to do.");
    position += 1;
    return typeof scripted === "function" ? scripted() : scripted;
  };

  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? "/";
    const body = parse(await textOf(request));
    const call = dialect.readCall(path, body);
    if (call === undefined) return sendJson(response, 200, {});
    received.push({ path, body, aside: call.aside });
    serial += 1;
    const turn = call.aside ? say("A title") : await nextTurn();
    if (turn.kind === "refusal") {
      const message = `The model server says ${turn.status}.`;
      const said = turn.body ?? dialect.refusal(turn.status, message);
      return sendJson(response, turn.status, said, turn.headers);
    }
    const tokens = tokensOf(serial);
    if (!call.streams) {
      sendJson(response, 200, dialect.whole(wordsOf(turn), tokens, serial));
    } else if (!(await stream(response, dialect, turn, tokens, serial))) return;
    if (!call.aside) served.push(tokens);
  };

  const server = createServer((request, response) => {
    // A CLI that was killed closes its connections; that is no failure of the server.
    take(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    play(...turns) {
      script = turns;
      position = 0;
    },
    received: () => received,
    served: () => served,
    close: () => close(server),
  };
}

/** Different for each call, so that a sum shows which calls are in it. */
function tokensOf(serial: number): Tokens {
  return { input: 1000 + serial, cached: 100 + serial, output: 50 + serial, reasoning: 5 + serial };
}

/** Resolves with whether the answer was given to its end. */
async function stream(
  response: ServerResponse,
  dialect: Dialect,
  turn: Exclude<Turn, { kind: "refusal" }>,
  tokens: Tokens,
  serial: number,
): Promise<boolean> {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  const answer: Answer = turn.kind === "drop" || turn.kind === "hang" ? BEGUN : turn;
  const [first = "", ...rest] = dialect.stream(answer, tokens, serial);
  await new Promise<void>((resolve) => response.write(first, () => resolve()));
  if (turn.kind === "hang") return false;
  if (turn.kind === "drop") {
    response.destroy();
    return false;
  }
  for (const piece of rest) response.write(piece);
  response.end();
  return true;
}

const BEGUN: Answer = { kind: "text", text: "Let me" };

function wordsOf(turn: Turn): string {
  return turn.kind === "text" ? turn.text : "";
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
