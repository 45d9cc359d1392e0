import { timestamp, type Clock } from "../seams/clock.ts";
import type { AgentEvent, OutputParser, Stream } from "./port.ts";
import { createRawTail, type RawTail } from "./raw-tail.ts";
import type { Transcript } from "./transcript.ts";

/** Reads a run's raw output as it grows and feeds the parser and the transcript. */
export interface OutputReader {
  /** Reads some; true while more is there. */
  pump(): boolean;
  /** Bytes printed so far. */
  size(): number;
  /** Monotonic time at which a new byte was seen last; at which the final event was. */
  readonly lastByteAt: number | null;
  readonly finalAt: number | null;
  /** Reads all that there is; nothing may write any more. */
  drain(): Promise<void>;
  close(): void;
}

export function createOutputReader(
  raw: Readonly<Record<Stream, string>>,
  parser: OutputParser,
  transcript: Transcript,
  clock: Clock,
): OutputReader {
  const tails: readonly (readonly [Stream, RawTail])[] = [
    ["stdout", createRawTail(raw.stdout)],
    ["stderr", createRawTail(raw.stderr)],
  ];
  let lastSize = 0;
  let lastByteAt: number | null = null;
  let finalAt: number | null = null;
  const take = (events: AgentEvent[]): void => {
    if (events.length === 0) return;
    if (finalAt === null && events.some((event) => event.type === "final"))
      finalAt = clock.monotonic();
    transcript.add(events, timestamp(clock));
  };
  const pump = (): boolean => {
    let more = false;
    for (const [stream, tail] of tails) {
      const { lines, atEnd } = tail.read();
      const events: AgentEvent[] = [];
      for (const line of lines) events.push(...parser.push(line.text, stream, line.complete));
      take(events);
      more ||= !atEnd;
    }
    return more;
  };
  const size = (): number => {
    const bytes = tails.reduce((sum, [, tail]) => sum + tail.size(), 0);
    if (bytes !== lastSize) lastByteAt = clock.monotonic();
    lastSize = bytes;
    return bytes;
  };
  return {
    pump,
    size,
    get lastByteAt() {
      return lastByteAt;
    },
    get finalAt() {
      return finalAt;
    },
    async drain() {
      while (pump()) await new Promise((resolve) => setImmediate(resolve));
      for (const [stream, tail] of tails) {
        take(tail.finish().flatMap((line) => parser.push(line.text, stream, line.complete)));
      }
    },
    close() {
      for (const [, tail] of tails) tail.close();
      transcript.close(timestamp(clock));
    },
  };
}
