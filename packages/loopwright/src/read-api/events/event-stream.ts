import type { IncomingMessage, ServerResponse } from "node:http";
import { LoopwrightError } from "@loopwright/protocol";
import { COMMON } from "../http/send.ts";
import type { ReadModel } from "../model.ts";
import type { Query } from "../query.ts";
import type { SessionRecord } from "../session/open-record.ts";
import { eventsOf, type HubEvent } from "./event-hub.ts";
import { liveOf } from "./live.ts";

/** More than this waiting for one client, in bytes: it is dropped. It comes back with its last id. */
const PATIENCE_BYTES = 1024 * 1024;
const LIVE_EVERY_MS = 1_000;
const BEAT_EVERY_MS = 15_000;

/** Connections that can be open at once. */
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
  const sessionId = query.text("session");
  const header = request.headers["last-event-id"];
  const after = typeof header === "string" && header !== "" ? header : query.text("after");
  const record = sessionId === undefined ? undefined : model.record(sessionId, goalId);
  if (sessionId !== undefined && record === undefined)
    throw new LoopwrightError("SESSION_NOT_FOUND", "There is no such session here");
  // Before the head is out, so that what is wrong with it can still be told.
  let sent = record === undefined ? -1 : positionOf(after, record.record);

  response.writeHead(200, {
    ...COMMON,
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  });
  if (request.method === "HEAD") return void response.end();
  const write = (frame: string): void => {
    if (response.destroyed) return;
    response.write(frame);
    if (response.writableLength > PATIENCE_BYTES) response.destroy();
  };
  write("retry: 1000\n\n");

  const place = (event: Pick<HubEvent, "seq" | "index">): number => event.seq * 1000 + event.index;
  const send = (event: Omit<HubEvent, "number"> & { number?: number }): void => {
    if (goalId !== undefined && event.goalId !== goalId) return;
    if (sessionId !== undefined) {
      // The replay and the hub read the same journal, each at its own time.
      if (event.sessionId !== sessionId || place(event) <= sent) return;
      sent = place(event);
    }
    const id =
      sessionId === undefined
        ? hub.cursor().replace(/\d+$/, String(event.number))
        : `${event.seq}.${event.index}`;
    write(`id: ${id}\nevent: record\ndata: ${event.data}\n\n`);
  };

  if (record !== undefined) {
    for (const event of missedOf(record.record, sent)) send(event);
  } else if (after !== undefined) {
    const missed = hub.after(after);
    if (missed === undefined) {
      const cursor = hub.cursor();
      write(`id: ${cursor}\nevent: reset\ndata: ${JSON.stringify({ cursor })}\n\n`);
    } else for (const event of missed) send(event);
  }

  const stop = hub.listen(send);
  const told = { value: "" };
  const live = setInterval(() => {
    const text = JSON.stringify(liveOf(model, { goalId, sessionId }));
    if (text !== told.value) write(`event: live\ndata: ${text}\n\n`);
    told.value = text;
  }, LIVE_EVERY_MS);
  const beat = setInterval(() => write(": still here\n\n"), BEAT_EVERY_MS);
  response.once("close", () => {
    stop();
    clearInterval(live);
    clearInterval(beat);
  });
}

/** The last event of one session that a client has seen. Without a cursor: all that there are. */
function positionOf(after: string | undefined, { journal }: SessionRecord): number {
  if (after === undefined) return journal.state().seq * 1000 + 999;
  const match = /^(\d{1,9})(?:\.(\d{1,3}))?$/.exec(after);
  if (match === null)
    throw new LoopwrightError("QUERY_INVALID", "A session's events are named `seq.index`");
  return Number(match[1]) * 1000 + (match[2] === undefined ? 999 : Number(match[2]));
}

const REPLAY_LINES = 200;

function* missedOf(record: SessionRecord, seen: number): Generator<Omit<HubEvent, "number">> {
  const { journal } = record;
  const first = journal.lines(0, 1)[0]?.seq ?? 0;
  for (let at = Math.max(0, Math.floor(seen / 1000) - first); at < journal.length();) {
    const lines = journal.lines(at, at + REPLAY_LINES);
    at += REPLAY_LINES;
    for (const line of lines) yield* eventsOf(record.goalId, record.id, line);
  }
}
