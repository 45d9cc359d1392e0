import type { JournalLine, JournalRecord } from "@loopwright/protocol";
import { expect, test } from "vitest";
import { finishedOf, rulesOf, started, workflow } from "../testing/fixtures.ts";
import { Play } from "../testing/play.ts";
import { foldSession } from "./fold-session.ts";

const END: JournalRecord = {
  type: "session_stopped",
  data: {
    status: "goal_met",
    stop_reason: "goal_met",
    verified: true,
    detail: "Because I say so.",
    facts: null,
    explanation: null,
  },
};

/** A session whose only workflow claimed the goal, which has no checks. */
function met(): Play {
  const rules = rulesOf([workflow("work", { may_complete: true })]);
  const play = new Play({ kind: "started", started: started(rules) });
  play.feed({ kind: "next", next: play.next() });
  const { task } = play;
  if (task.kind !== "workflow") throw new Error("a workflow was to be assigned");
  const control = {
    schema_version: 1,
    attempt_id: task.attempt_id,
    state: "stopped",
    stop_reason: "goal_met",
    reason: "It is done.",
    attempted_routes: [],
  } as const;
  play.feed({
    kind: "finished",
    finished: finishedOf(task, {
      control: { state: "valid", value: { ...control, attempted_routes: [] } },
    }),
  });
  return play;
}

test("a goal that was met by what the journal holds is one", () => {
  const { lines, state } = met();
  const folded = foldSession(lines as unknown as JournalLine[]);
  expect(folded).toEqual({ state, unfounded: undefined });
  expect(folded.state?.status).toBe("goal_met");
});

test("a line that only says so, alone or behind others of its own, is found", () => {
  const { lines } = met();
  for (const records of [[END], [...(lines[1]?.records ?? []), END]]) {
    const forged = [
      ...lines.slice(0, 1),
      { ...lines[1], seq: 1, at: lines[0]?.at, epoch: 0, records },
    ];
    expect(foldSession(forged as unknown as JournalLine[]).unfounded).toEqual({ seq: 1 });
  }
});
