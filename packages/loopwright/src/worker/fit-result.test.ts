import { BODY_LIMIT, type Result, result } from "@loopwright/protocol";
import { expect, test } from "vitest";
import { fitResult } from "./fit-result.ts";

const NASTY = "\u0001".repeat(64 * 1024);
const RESULT: Result = {
  schema_version: 1,
  session_id: "20260101T000000Z-0123456789ab",
  iteration: 1,
  workflow_id: "inner",
  attempt_id: "01jgfjjv00zzzzzzzzzzzzzzzz",
  outcome: "ok",
  orderly: true,
  started: true,
  denials: 0,
  text: "short",
  agent: "a",
  agent_version: null,
  agent_session_id: null,
  exit: { code: 0, signal: null },
  usage: null,
  cost_usd: null,
  reset_at: null,
  started_at: "2026-01-01T00:00:00.000Z",
  finished_at: "2026-01-01T00:00:00.000Z",
  duration_ms: 0,
  report: { state: "absent" },
  goal_check: { state: "absent" },
  control: { state: "absent" },
  child_requests: [],
  changes: null,
  leftovers: [],
};

test("an ordinary result stays as it is", () => {
  expect(fitResult(RESULT)).toBe(RESULT);
});

test("the worst that an agent can leave still fits into a report", () => {
  const invalid = { state: "invalid", reason: "r", text: NASTY } as const;
  const value = {
    schema_version: 1,
    request_id: "a",
    workflow_set: "s",
    goal: "g".repeat(65_536),
  } as const;
  const worst: Result = {
    ...RESULT,
    text: NASTY,
    report: invalid,
    goal_check: invalid,
    control: invalid,
    child_requests: Array.from({ length: 32 }, (_, index) => ({
      name: `${index}.json`,
      document: { state: "valid", value },
    })),
  };
  const fitted = fitResult(worst);
  expect(Buffer.byteLength(JSON.stringify(fitted))).toBeLessThan(BODY_LIMIT - 64 * 1024);
  expect(result.safeParse(fitted).success).toBe(true);
});

test("a valid control survives whatever else is long", () => {
  const control: Result["control"] = {
    state: "valid",
    value: {
      schema_version: 1,
      attempt_id: RESULT.attempt_id,
      state: "stopped",
      stop_reason: "goal_met",
      reason: "x",
      attempted_routes: [],
    },
  };
  const report = { state: "invalid", reason: "r", text: NASTY } as const;
  expect(
    fitResult({ ...RESULT, control, report, goal_check: report, text: NASTY }).control,
  ).toEqual(control);
});
