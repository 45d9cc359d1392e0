import type { RunRow } from "@loopwright/protocol";
import { expect, test } from "vitest";
import { digestOfText, parseActiveState } from "../active-state/index.ts";
import { chooseRecommendedAction } from "./choose-recommended-action.ts";

const run = (changes: Partial<RunRow> = {}): RunRow => ({
  run_id: "r",
  generated_at: "2026-08-01T10:00:00.000Z",
  kind: "iteration",
  classification: "succeeded",
  recommended_action: "Reported",
  recommended_action_source: "report",
  state_digest: "",
  next_action_digest: digestOfText("Planned"),
  path: "",
  ...changes,
});
const state = parseActiveState(
  "## Next Action\n- Planned\n## Todo\n- [ ] Any\n- [ ] [P0] (you) Decide\n- [x] [P0] Done\n- [ ] [P1] First <!-- status=open -->\n",
);
const unplanned = { ...state, nextActions: [] };
const silent = (({ recommended_action: _action, ...rest }) => rest)(run());
const decision = run({ kind: "decision" });

test.each([
  ["what is said explicitly", "Said", [run()], state, "Said", "explicit"],
  ["the newest report", undefined, [run(), silent], state, "Reported", "report"],
  [
    "the next action when it was moved since",
    undefined,
    [run({ next_action_digest: "x" })],
    state,
    "Planned",
    "next_action",
  ],
  [
    "the next action when a person decided since",
    undefined,
    [run(), decision],
    state,
    "Planned",
    "next_action",
  ],
  ["a report after the decision", undefined, [decision, run()], state, "Reported", "report"],
  ["the most urgent todo of an agent", undefined, [], unplanned, "First", "todo"],
  ["a sentence", undefined, [], undefined, expect.stringContaining("Say what is next"), "default"],
] as const)("%s is recommended", (_name, explicit, rows, seen, text, source) => {
  expect(chooseRecommendedAction(explicit, rows, seen)).toMatchObject({ text, source });
});
