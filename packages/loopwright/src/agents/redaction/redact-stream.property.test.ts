import fc from "fast-check";
import { expect, test } from "vitest";
import type { AgentEvent } from "../port.ts";
import { redactEvents } from "./redact-events.ts";
import { redactStream } from "./redact-stream.ts";
import { createRedactor } from "./redactor.ts";

const SECRET = "correct-horse-battery";
const redactor = createRedactor({ API_KEY: SECRET });

const piece = fc.oneof(
  fc.constantFrom(
    SECRET,
    ` ${SECRET}\n`,
    "\n",
    "Authorization: Bearer abcdefgh\n",
    ` sk-${"x".repeat(20)} `,
    "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
  ),
  fc.string({ maxLength: 40 }),
  fc.integer({ min: 1, max: 20_000 }).map((length) => "long ".repeat(length).slice(0, length)),
);
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));

function cut(whole: string, places: number[]): string[] {
  const cuts = [...new Set(places.map((place) => place % (whole.length + 1)))].sort(
    (a, b) => a - b,
  );
  return [0, ...cuts].map((start, index) => whole.slice(start, cuts[index] ?? whole.length));
}

test("a text in chunks is redacted as if it had come at once", () => {
  fc.assert(
    fc.property(text, fc.array(fc.nat(), { maxLength: 12 }), (whole, places) => {
      const stream = redactStream(redactor);
      const parts = cut(whole, places).map((chunk) => stream.push(chunk));
      expect(parts.join("") + stream.end()).toBe(redactor.text(whole));
    }),
    { numRuns: 300 },
  );
});

test("no secret stands in the joined texts of events, however it was split, and the order stays", () => {
  fc.assert(
    fc.property(text, fc.array(fc.nat(), { maxLength: 12 }), (whole, places) => {
      const stream = redactEvents(redactor);
      const chunks = cut(whole.slice(0, 60_000), places);
      const events = chunks.flatMap((chunk, index): AgentEvent[] => [
        { type: "text", text: chunk },
        { type: "retry", reason: String(index) },
      ]);
      const out = [...events.flatMap((event) => stream.push(event)), ...stream.end()];
      expect(out.map(({ type }) => type)).toEqual(events.map(({ type }) => type));
      const joined = out.map((event) => (event.type === "text" ? event.text : "")).join("");
      expect(joined).not.toContain(SECRET);
      expect(joined).not.toContain("x".repeat(20));
    }),
    { numRuns: 300 },
  );
});
