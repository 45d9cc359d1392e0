import { expect, test } from "vitest";
import type { AgentEvent, Outcome, RunEnd } from "../port.ts";
import { createJsonLinesParser } from "./json-lines-parser.ts";

const EXIT: RunEnd = { code: 0, signal: null };

function parse(
  events: readonly (object | string)[],
  exit = EXIT,
): { events: AgentEvent[]; outcome: Outcome } {
  const parser = createJsonLinesParser();
  const lines = events.map((event) => (typeof event === "string" ? event : JSON.stringify(event)));
  return {
    events: lines.flatMap((line) => parser.push(line, "stdout", true)),
    outcome: parser.end(exit),
  };
}

test("a final event and exit 0 is ok; its text wins over the text events", () => {
  expect(
    parse([
      { type: "text", text: "a" },
      { type: "final", text: "b" },
    ]).outcome,
  ).toMatchObject({ outcome: "ok", orderly: true, text: "b" });
  expect(
    parse([{ type: "text", text: "a" }, { type: "text", text: "b" }, { type: "final" }]).outcome
      .text,
  ).toBe("ab");
});

test.each<[string, (object | string)[], RunEnd, object]>([
  ["no final event", ["DONE"], EXIT, { outcome: "no_result", orderly: false }],
  [
    "final with ok: false",
    [{ type: "final", ok: false }],
    EXIT,
    { outcome: "failed", cause: "unknown", orderly: true },
  ],
  [
    "final and exit 2",
    [{ type: "final" }],
    { code: 2, signal: null },
    { outcome: "failed", cause: "unknown", orderly: true },
  ],
  [
    "final and a signal",
    [{ type: "final" }],
    { code: null, signal: "SIGKILL" },
    { outcome: "failed", cause: "crash", orderly: false },
  ],
  [
    "a failure names its cause",
    [{ type: "failure", cause: "auth", message: "no key" }],
    EXIT,
    { outcome: "failed", cause: "auth", evidence: "failure event: no key" },
  ],
  [
    "a failure that was got over",
    [{ type: "failure", cause: "transient" }, { type: "final" }],
    EXIT,
    { outcome: "ok" },
  ],
  [
    "a failure after the final event",
    [{ type: "final" }, { type: "failure", cause: "context_overflow" }],
    EXIT,
    { outcome: "failed", cause: "context_overflow" },
  ],
  [
    "a rate limit",
    [{ type: "rate_limit", reset_at: "2026-01-01T10:00:00+02:00" }],
    { code: 1, signal: null },
    { outcome: "failed", cause: "rate_limited", resetAt: "2026-01-01T08:00:00.000Z" },
  ],
])("%s", (_, events, exit, expected) => {
  expect(parse(events, exit).outcome).toMatchObject(expected);
});

test("what isn't known is kept raw and means nothing", () => {
  const lines = [
    '{"type":"new","ok":false}',
    "not json",
    '{"type":"usage","input_tokens":-5}',
    "",
    "[1]",
  ];
  const { events, outcome } = parse([...lines, { type: "final" }]);
  expect(events.map(({ type }) => type)).toEqual(["raw", "raw", "raw", "raw", "final"]);
  expect(outcome).toMatchObject({ outcome: "ok", usage: null });
});

test("usage of steps adds up, usage of the whole run replaces", () => {
  const step = {
    type: "usage",
    basis: "last_step",
    input_tokens: 10,
    output_tokens: 1,
    cost_usd: 0.5,
  };
  expect(parse([step, step]).outcome).toMatchObject({
    usage: { input_tokens: 20, cached_input_tokens: null },
    costUsd: 1,
  });
  const whole = { type: "usage", input_tokens: 10 };
  expect(parse([whole, { ...whole, input_tokens: 30 }]).outcome.usage).toMatchObject({
    input_tokens: 30,
    output_tokens: null,
  });
});
