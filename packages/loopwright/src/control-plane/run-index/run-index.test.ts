import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JournalRecord } from "@loopwright/protocol";
import { afterAll, beforeEach, expect, test } from "vitest";
import { systemDisk } from "../../store/disk.ts";
import { digestOfText } from "../active-state/index.ts";
import { completeRunIndex, iterationRows, readRunIndex } from "./index.ts";

const directory = mkdtempSync(join(tmpdir(), "loopwright-run-index-"));
const path = join(directory, "runs.jsonl");
afterAll(() => rmSync(directory, { recursive: true }));
beforeEach(() => rmSync(path, { force: true }));

const AT = "2026-08-01T10:00:00.000Z";
const session = { sessionId: "s", directory: "sessions/s", planning: new Set(["outer"]) };

const finished = (iteration: number, workflow_id: string, action?: string): JournalRecord => {
  const value = { recommended_action: action };
  const data = { iteration, workflow_id, succeeded: true, outcome: "ok" };
  return {
    type: "task_finished",
    data: { ...data, report: { state: "valid", value } },
  } as unknown as JournalRecord;
};
const abandoned = {
  type: "task_abandoned",
  data: { kind: "workflow", iteration: 3, workflow_id: "inner" },
} as unknown as JournalRecord;
const moved: JournalRecord = {
  type: "next_action_moved",
  data: {
    from_sha256: null,
    to_sha256: "d".repeat(64),
    text: "Go on",
    iteration: 1,
    by: "outer",
    updated_at: AT,
  },
};
const lines = [
  { at: AT, records: [finished(1, "outer", "Go on"), moved] },
  { at: AT, records: [finished(2, "inner")] },
  { at: AT, records: [abandoned] },
];

test("rows carry what the run recommends, and the state as the run left it", () => {
  const seen = { digest: "e".repeat(64), nextAction: undefined };
  expect(lines.flatMap((line) => iterationRows(line, session, seen))).toMatchObject([
    {
      run_id: "s-0001",
      plans: true,
      recommended_action: "Go on",
      recommended_action_source: "report",
      state_digest: "d".repeat(64),
      next_action_digest: digestOfText("Go on"),
      path: "sessions/s/iterations/0001_outer",
    },
    { run_id: "s-0002", plans: false, classification: "succeeded", state_digest: seen.digest },
    { run_id: "s-0003", classification: "abandoned", recommended_action_source: "none" },
  ]);
});

test("what the journal has and the index lacks is appended, once", () => {
  expect(completeRunIndex(systemDisk, path, session, lines.slice(0, 1))).toBe(1);
  appendFileSync(path, '{"run_id": "cut off');
  expect(completeRunIndex(systemDisk, path, session, lines)).toBe(2);
  expect(completeRunIndex(systemDisk, path, session, lines)).toBe(0);
  const { rows, bad } = readRunIndex(path);
  expect(rows.map(({ run_id }) => run_id)).toEqual(["s-0001", "s-0002", "s-0003"]);
  expect(bad).toEqual([{ lineNumber: 2, reason: "is not JSON" }]);
});

test("bad lines are told by number, and duplicates dropped", () => {
  expect(readRunIndex(path)).toEqual({ rows: [], bad: [] });
  completeRunIndex(systemDisk, path, session, lines.slice(0, 1));
  const good = readFileSync(path, "utf8");
  writeFileSync(path, `${good}\n[]\n{"run_id":""}\nnonsense\n${good}${good.trimEnd()}`);
  const { rows, bad } = readRunIndex(path);
  expect(rows).toHaveLength(1);
  expect(bad.map(({ lineNumber }) => lineNumber)).toEqual([3, 4, 5, 7]);
});
