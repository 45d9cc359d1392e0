import { expect, test } from "vitest";
import type { Outcome } from "./port.ts";
import { type RunFacts, settleOutcome } from "./settle.ts";

const PARSED: Outcome = {
  outcome: "ok",
  orderly: true,
  denials: 0,
  endedDenied: false,
  text: "",
  agentSessionId: null,
  usage: null,
  costUsd: null,
  resetAt: null,
};
const FACTS: RunFacts = {
  stop: null,
  parsed: PARSED,
  reportValid: false,
  checkoutGone: false,
  diskFull: false,
};
const FAILED = { ...PARSED, outcome: "failed", cause: "unknown" } as const;

test.each<[string, Partial<RunFacts>, object]>([
  ["an orderly success is ok", {}, { outcome: "ok", orderly: true }],
  [
    "a success that we stopped is not",
    { stop: "cancelled" },
    { outcome: "cancelled", orderly: false },
  ],
  ["the total time", { stop: "total" }, { outcome: "timed_out", orderly: false }],
  ["too much output", { stop: "output_size" }, { outcome: "policy" }],
  [
    "a missing checkout comes before what the agent says",
    { checkoutGone: true },
    { outcome: "workspace_gone" },
  ],
  [
    "a failure on a full disk is the disk's",
    { parsed: FAILED, diskFull: true },
    { outcome: "disk" },
  ],
  ["a success on a full disk is a success", { diskFull: true }, { outcome: "ok" }],
  [
    "refusals with a valid report are ok",
    { parsed: { ...PARSED, denials: 2 }, reportValid: true },
    { outcome: "ok" },
  ],
  ["refusals without one are denied", { parsed: { ...PARSED, denials: 2 } }, { outcome: "denied" }],
  [
    "a refused last action is denied",
    { parsed: { ...PARSED, denials: 1, endedDenied: true }, reportValid: true },
    { outcome: "denied" },
  ],
])("%s", (_, facts, expected) => {
  expect(settleOutcome({ ...FACTS, ...facts })).toMatchObject(expected);
});
