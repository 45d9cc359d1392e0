import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import type { AgentEvent } from "./port.ts";
import { redactEvents } from "./redaction/redact-events.ts";
import type { Redactor } from "./redaction/redactor.ts";

/** `transcript.jsonl`: one redacted event a line, `{"at": ISO time, ...event}`, written while the agent runs. */
export interface Transcript {
  add(events: readonly AgentEvent[], at: string): void;
  close(at: string): void;
}

/** An event's line is cut to this, so that a reader's memory is bounded too. Characters. */
const LONGEST_EVENT = 64 * 1024;

/**
 * Starts the file anew: an adopting worker writes it again from the raw output. Beyond `limit` bytes it ends with a
 * `truncated` line. Not synced: it can be made again.
 */
export function createTranscript(path: string, redactor: Redactor, limit: number): Transcript {
  const file = startFile(path);
  const stream = redactEvents(redactor);
  let size = 0;
  let open = file !== undefined;
  const write = (line: string): void => {
    try {
      if (file !== undefined) size += writeSync(file, `${line}\n`);
    } catch {
      open = false;
    }
  };
  const writeAll = (events: readonly AgentEvent[], at: string): void => {
    const lines = events.map((event) => lineOf(event, at));
    if (!open || lines.length === 0) return;
    const text = lines.join("\n");
    if (size + text.length <= limit) return write(text);
    write(JSON.stringify({ at, type: "truncated", limit }));
    open = false;
  };
  return {
    add(events, at) {
      if (!open) return;
      const settled: AgentEvent[] = [];
      for (const event of events) settled.push(...stream.push(event));
      writeAll(settled, at);
    },
    close(at) {
      writeAll(stream.end(), at);
      if (file !== undefined) closeSync(file);
    },
  };
}

/** Undefined without space for it, or on a disk that fails: the run matters more than its transcript. */
function startFile(path: string): number | undefined {
  try {
    rmSync(path, { recursive: true, force: true });
    return openSync(path, "wx", 0o600);
  } catch {
    return undefined;
  }
}

function lineOf(event: AgentEvent, at: string): string {
  const line = JSON.stringify({ at, ...event });
  if (line.length <= LONGEST_EVENT) return line;
  const excerpt = (event.type === "text" ? event.text : line).slice(0, LONGEST_EVENT / 8);
  return JSON.stringify({ at, type: event.type, cut: line.length, text: excerpt });
}
