import type { IncomingMessage, ServerResponse } from "node:http";
import { LoopwrightError } from "@loopwright/protocol";
import { COMMON } from "../http/send.ts";
import type { ReadModel } from "../model.ts";
import type { Query } from "../query.ts";
import { type EventSource, hubSource, sessionSource } from "./event-source.ts";
import { liveOf } from "./live.ts";

/** A client that takes nothing off for so long is dropped. It comes back with its last id. */
const PATIENCE_MS = 5_000;
const LIVE_EVERY_MS = 1_000;
const BEAT_EVERY_MS = 15_000;
const MOST_STREAMS = 500;

/**
 * `/events?after=&goal=&session=`, server-sent. Over all goals an id is a cursor of the hub; of one session it is
 * `seq.index`, which is valid for ever. `reset`: the cursor is unknown here; look at everything anew and go on from the
 * one it names. `live`: how things stand, without id, at most once a second.
 */
export function streamEvents(
  model: ReadModel,
  request: IncomingMessage,
  response: ServerResponse,
  query: Query,
): void {
  const { hub } = model;
  if (hub.listeners() >= MOST_STREAMS)
    throw new LoopwrightError("BUSY", `${MOST_STREAMS} event streams are open already`);
  const goalId = query.text("goal");
  const sessionId = query.text("session") ?? model.onlySession;
  // Before the head is out, so that what is wrong can still be told.
  const { source, reset } = sourceOf(model, { goalId, sessionId, after: afterOf(request, query) });
  response.writeHead(200, {
    ...COMMON,
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  });
  if (request.method === "HEAD") return void response.end();
  response.write("retry: 1000\n\n");
  if (reset !== undefined)
    response.write(`id: ${reset}\nevent: reset\ndata: ${JSON.stringify({ cursor: reset })}\n\n`);
  keepSending(model, response, source, { goalId, sessionId });
}

interface Filter {
  readonly goalId: string | undefined;
  readonly sessionId: string | undefined;
}

function afterOf(request: IncomingMessage, query: Query): string | undefined {
  const header = request.headers["last-event-id"];
  return typeof header === "string" && header !== "" ? header : query.text("after");
}

function sourceOf(
  model: ReadModel,
  { goalId, sessionId, after }: Filter & { readonly after: string | undefined },
): { source: EventSource; reset?: string } {
  const { hub } = model;
  if (sessionId !== undefined) {
    const found = model.record(sessionId, goalId);
    if (found !== undefined) return { source: sessionSource(found.record, after) };
    throw new LoopwrightError("SESSION_NOT_FOUND", "There is no such session here");
  }
  const cursor = hub.cursor();
  const now = hub.numberOf(cursor) ?? 0;
  const number = after === undefined ? now : hub.numberOf(after);
  if (number !== undefined) return { source: hubSource(hub, number, goalId) };
  return { source: hubSource(hub, now, goalId), reset: cursor };
}

/** Never more than what the socket takes: a client has no queue here, only its place in what all share. */
function keepSending(
  model: ReadModel,
  response: ServerResponse,
  source: EventSource,
  filter: Filter,
): void {
  let waiting: NodeJS.Timeout | undefined;
  const write = (frame: string): void => {
    if (response.write(frame) || waiting !== undefined) return;
    waiting = setTimeout(() => response.destroy(), PATIENCE_MS);
  };
  const pump = (): void => {
    if (response.destroyed) return;
    source.look();
    while (waiting === undefined) {
      const event = source.next();
      if (event === null) return;
      if (event === undefined) return void response.destroy();
      write(`id: ${event.id}\nevent: record\ndata: ${event.data}\n\n`);
    }
  };
  response.on("drain", () => {
    clearTimeout(waiting);
    waiting = undefined;
    guarded(response, pump);
  });
  let told = "";
  const live = setInterval(
    () =>
      guarded(response, () => {
        const text = JSON.stringify(liveOf(model, filter));
        if (text === told || waiting !== undefined) return;
        told = text;
        write(`event: live\ndata: ${text}\n\n`);
      }),
    LIVE_EVERY_MS,
  );
  const beat = setInterval(() => {
    if (waiting === undefined) write(": still here\n\n");
  }, BEAT_EVERY_MS);
  const stop = model.hub.listen(() => guarded(response, pump));
  response.once("close", () => {
    stop();
    for (const timer of [live, beat]) clearInterval(timer);
    clearTimeout(waiting);
  });
  guarded(response, pump);
}

/** What can't be read any more ends this stream and no other; whoever comes again is told why. */
function guarded(response: ServerResponse, work: () => void): void {
  try {
    work();
  } catch {
    response.destroy();
  }
}
