import type { JournalRecord } from "@loopwright/protocol";
import { recordSchemas, stateFile } from "@loopwright/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldLine } from "../state/fold.ts";
import { isTerminal, type State, stateFileOf } from "../state/state.ts";
import { decideStop } from "../stop/decide-stop.ts";
import type { Play, UnsealedLine } from "../testing/play.ts";
import { randomRules } from "../testing/random-rules.ts";
import { playRandomSession } from "../testing/random-session.ts";
import { seededDice } from "../testing/seeded-dice.ts";
import { react } from "../transition/react.ts";
import { verifyLine } from "./verify-line.ts";

const seeds = fc.integer({ min: 0, max: 0x7fffffff });

function sessionOf(seed: number, occurrences = 150): Play {
  const dice = seededDice(seed);
  return playRandomSession(randomRules(dice), dice, occurrences);
}

/** What a reader finds on disk: no `undefined`, no shared objects. */
function stored(lines: readonly UnsealedLine[]): UnsealedLine[] {
  return JSON.parse(JSON.stringify(lines)) as UnsealedLine[];
}

function disagreements(lines: readonly UnsealedLine[]): string[] {
  const found: string[] = [];
  let state: State | null = null;
  for (const line of lines) {
    const verified = verifyLine(state, line);
    found.push(...verified.disagreements.map((each) => each.message));
    state = verified.after;
  }
  return found;
}

describe("any session", () => {
  it("is decided again from its stored facts without one disagreement", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        expect(disagreements(stored(sessionOf(seed).lines))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it("holds only records and states that their schemas accept", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const play = sessionOf(seed, 80);
        for (const { type, data } of stored(play.lines).flatMap((line) => line.records))
          recordSchemas[type].parse(data);
        stateFile.parse(JSON.parse(JSON.stringify(stateFileOf(play.current))));
      }),
      { numRuns: 60 },
    );
  });

  it("folds to the same state from its stored lines", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const play = sessionOf(seed);
        const folded = stored(play.lines).reduce<State | null>(
          (state, line) => foldLine(state, line),
          null,
        );
        expect(folded).toEqual(play.current);
      }),
      { numRuns: 60 },
    );
  });

  it("never leaves a terminal state but by being reopened, and never after its goal was met", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        let state: State | null = null;
        for (const line of sessionOf(seed).lines) {
          const before = state;
          state = foldLine(state, line);
          if (before === null || !isTerminal(before)) continue;
          const isReopened = line.records[0]?.type === "session_reopened";
          if (before.status === "goal_met") expect(isReopened).toBe(false);
          if (!isReopened)
            expect([state.status, state.stop_reason, state.iterations]).toEqual([
              before.status,
              before.stop_reason,
              before.iterations,
            ]);
        }
      }),
      { numRuns: 200 },
    );
  });

  it("leaves no stop undecided that needs no facts", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        let state: State | null = null;
        for (const line of sessionOf(seed).lines) {
          state = foldLine(state, line);
          expect(decideStop(state)).toBeNull();
        }
      }),
      { numRuns: 200 },
    );
  });

  it("meets its goal only by a passing claim, or unverified where no checks exist", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { lines, current } = sessionOf(seed);
        if (current.status !== "goal_met") return;
        const last =
          lines.findLast((line) => line.records.some((record) => record.type === "session_stopped"))
            ?.records ?? [];
        const accepted = lines
          .flatMap((line) => line.records)
          .findLast((record) => record.type === "control_accepted");
        expect(accepted?.data).toMatchObject({ stop_reason: "goal_met" });
        const verified = last.find((record) => record.type === "verification_finished");
        if (current.verified === true)
          expect(verified?.data).toMatchObject({ kind: "claim", receipt: { outcome: "pass" } });
        else expect(current.rules.gate.checks).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it("counts what a recount of its journal counts", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        recount(sessionOf(seed));
      }),
      { numRuns: 200 },
    );
  });
});

function recount({ lines, current }: Play): void {
  const records = lines.flatMap((line) => line.records);
  const of = <T extends JournalRecord["type"]>(type: T) =>
    records.flatMap((record) =>
      record.type === type ? [record.data as Extract<JournalRecord, { type: T }>["data"]] : [],
    );
  const finished = of("task_finished");
  const abandoned = of("task_abandoned");
  const lost = abandoned.filter((each) => each.kind === "workflow");
  const live = current.task?.kind === "workflow" ? 1 : 0;
  const withdrawn = of("task_withdrawn").filter((each) => each.kind === "workflow");
  expect(current.iterations).toBe(finished.length + lost.length);
  expect(of("task_assigned").length).toBe(finished.length + lost.length + withdrawn.length + live);
  expect(current.spent.live_ms).toBe(
    [...finished, ...abandoned, ...of("verification_finished")].reduce(
      (sum, each) => sum + each.live_ms,
      0,
    ),
  );
  expect(current.spent.cost_usd).toBeCloseTo(
    finished.reduce((sum, each) => sum + (each.cost_usd ?? 0), 0),
  );
  expect(current.spent.unknown_cost).toBe(
    finished.filter((each) => each.cost_usd === null).length + lost.length,
  );
  expect(current.gate.verifications).toBe(of("verification_finished").length);
  for (const { id } of current.rules.workflows) {
    const own = current.workflows[id];
    const mine = finished.filter((each) => each.workflow_id === id);
    expect(own?.successes).toBe(mine.filter((each) => each.succeeded).length);
    expect(own?.starts).toBe(
      mine.length +
        lost.filter((each) => each.workflow_id === id).length +
        (current.task?.kind === "workflow" && current.task.workflow_id === id ? 1 : 0),
    );
    const lastSuccess = mine.findLast((each) => each.succeeded)?.iteration ?? null;
    expect(own?.last_success).toBe(lastSuccess);
  }
  const numbers = finished.map((each) => each.iteration).concat(lost.map((each) => each.iteration));
  expect(numbers.toSorted((a, b) => a - b)).toEqual(numbers.map((_number, at) => at + 1));
}

/** One changed decision, or one changed fact that a decision rests on. */
const TAMPERINGS: readonly ((
  data: Record<string, unknown>,
  type: JournalRecord["type"],
) => boolean)[] = [
  (data, type) => type === "task_assigned" && set(data, "workflow_id", "zz"),
  (data, type) => type === "task_assigned" && set(data, "iteration", 999),
  (data, type) => type === "task_assigned" && set(data, "directory", "iterations/0999_zz"),
  (data, type) => type === "task_assigned" && set(data, "inputs", ["another"]),
  (data, type) => type === "task_assigned" && set(data, "request", "f".repeat(64)),
  (data, type) =>
    type === "task_assigned" &&
    set(data, "explanation", { ...(data["explanation"] as object), reason: "because" }),
  (data, type) => type === "task_finished" && set(data, "succeeded", data["succeeded"] !== true),
  (data, type) => type === "task_finished" && set(data, "counted", data["counted"] !== true),
  (data, type) =>
    type === "task_finished" &&
    set(data, "progress", data["progress"] === "none" ? "progress" : "none"),
  (data, type) =>
    type === "task_finished" && set(data, "outcome", data["outcome"] === "ok" ? "failed" : "ok"),
  (data, type) =>
    type === "session_stopped" &&
    set(data, "stop_reason", data["stop_reason"] === "user_stop" ? "no_progress" : "user_stop"),
  (data, type) =>
    type === "session_stopped" &&
    set(data, "status", data["status"] === "failed" ? "stopped" : "failed"),
  (data, type) => type === "verification_started" && set(data, "number", 99),
  (data, type) =>
    type === "baseline_recorded" &&
    set(data, "outcome", data["outcome"] === "green" ? "red" : "green"),
  (data, type) => type === "control_refused" && set(data, "why", "no reason"),
  (data, type) => type === "limit_reached" && set(data, "spent", -1),
  (data, type) => type === "workflow_benched" && set(data, "failures", 99),
];

function set(data: Record<string, unknown>, field: string, value: unknown): true {
  data[field] = value;
  return true;
}

describe("a stored decision that was changed", () => {
  it("is reported, and so is a record that is missing or added", () => {
    let tried = 0;
    fc.assert(
      fc.property(seeds, fc.nat(TAMPERINGS.length - 1), (seed, which) => {
        const lines = stored(sessionOf(seed, 100).lines);
        const spots = lines.flatMap((line, at) =>
          line.records.map((record, index) => ({ at, index, record })),
        );
        const spot = spots.find(
          ({ record }) =>
            TAMPERINGS[which]?.(record.data as unknown as Record<string, unknown>, record.type) ===
            true,
        );
        if (spot === undefined) return;
        tried++;
        const upTo = lines.slice(0, spot.at + 1);
        expect(disagreements(upTo).length).toBeGreaterThan(0);
      }),
      { numRuns: 300 },
    );
    expect(tried).toBeGreaterThan(100);
  });

  it("is reported when a decision is dropped from the end of its line", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const lines = stored(sessionOf(seed, 100).lines);
        const at = lines.findIndex(
          ({ records }) =>
            records.length > 1 &&
            ["control_accepted", "control_refused", "goal_check_recorded"].includes(
              records.at(1)?.type ?? "",
            ),
        );
        const line = lines[at];
        if (line === undefined) return;
        line.records.splice(1, 1);
        expect(disagreements(lines.slice(0, at + 1)).length).toBeGreaterThan(0);
      }),
      { numRuns: 100 },
    );
  });

  it("is reported when a stored fact would have led elsewhere", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const { lines } = sessionOf(seed, 100);
        let state: State | null = null;
        for (const line of stored(lines)) {
          for (const { type, data } of line.records) {
            if (type !== "task_assigned") continue;
            data.facts.holds[data.workflow_id] = "9999-01-01T00:00:00.000Z";
            expect(verifyLine(state, line).disagreements.length).toBeGreaterThan(0);
            return;
          }
          state = foldLine(state, line);
        }
      }),
      { numRuns: 100 },
    );
  });

  it("is reported when something is recorded after the end", () => {
    const play = sessionOf(1, 10);
    const ended = foldLine(play.current, {
      seq: 900,
      at: "2026-01-01T00:00:00.000Z",
      epoch: 0,
      records: [
        {
          type: "session_stopped",
          data: {
            status: "stopped",
            stop_reason: "user_stop",
            verified: null,
            detail: "",
            facts: null,
            explanation: null,
          },
        },
      ],
    });
    expect(
      react(ended, { kind: "pause", pause: { reason: "user", detail: "", by: "user" } }),
    ).toEqual([]);
    const line = {
      seq: 901,
      at: "2026-01-01T00:00:00.000Z",
      epoch: 0,
      records: [
        { type: "paused" as const, data: { reason: "user" as const, detail: "", by: "user" } },
      ],
    };
    expect(verifyLine(ended, line).disagreements).toHaveLength(1);
  });
});
