import type { JournalRecord } from "@loopwright/protocol";
import { expect, test } from "vitest";
import { describeRecord } from "./describe-record.ts";

const SESSION = "20260101T000000Z-0123456789ab";
const text = (type: JournalRecord["type"], data: object): string =>
  describeRecord({ type, data } as JournalRecord).text;

test("a baseline says of a check that was mended since an earlier session that it passes now", () => {
  const baseline = { outcome: "red", red: ["greets", "tests"], vacuous: ["lint"], errors: [] };
  const before = [{ id: "greets", session_id: SESSION }];
  expect(text("baseline_recorded", { ...baseline, red_before: before })).toBe(
    `baseline red (fail now: tests; greets passes now, was red in session ${SESSION}; pass already: lint)`,
  );
  expect(text("baseline_recorded", { ...baseline, red: ["tests"] })).toBe(
    "baseline red (fail now: tests; pass already: lint)",
  );
});

test("a reason that is the status is said once, and amounts are said in their units", () => {
  const stopped = { detail: "Done.", status: "goal_met", stop_reason: "goal_met" };
  expect(text("session_stopped", stopped)).toBe("goal_met: Done.");
  expect(
    text("session_stopped", { ...stopped, status: "stopped", stop_reason: "max_iterations" }),
  ).toBe("stopped (max_iterations): Done.");
  const limit = { limit: "max_wall_clock_ms", value: 7_200_000, spent: 7_140_000, needed: 90_000 };
  expect(text("limit_reached", limit)).toBe(
    "max_wall_clock_ms is reached: 1h 59m spent and 1m 30s needed of 2h 00m",
  );
  expect(text("limit_raised", { limit: "max_cost_usd", from: null, to: 5, by: "ann" })).toBe(
    "ann set max_cost_usd from none to $5.00",
  );
  expect(text("journal_repaired", { bytes: 1 })).toContain("1 byte was cut off");
});
