import { expect, test } from "vitest";
import { expiredClock } from "./run-clocks.ts";

const LIMITS = { totalMs: 1000, silenceMs: 100, firstByteMs: 300, afterFinalMs: 50 };

test.each([
  ["nothing yet", null, null, 299, null],
  ["nothing for too long", null, null, 300, "first_byte"],
  ["silence", 200, null, 300, "silence"],
  ["a byte in time", 201, null, 300, null],
  ["the total, whatever it prints", 999, null, 1000, "total"],
  ["no silence after the final event", 10, 480, 500, null],
  ["no exit after the final event", 480, 480, 530, "after_final"],
] as const)("%s", (_, lastByteAt, finalAt, now, expected) => {
  expect(expiredClock(LIMITS, { startedAt: 0, lastByteAt, finalAt }, now)).toBe(expected);
});
