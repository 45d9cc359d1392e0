import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { Projection } from "@loopwright/protocol";
import fc from "fast-check";
import { expect, it } from "vitest";
import { loadProjection } from "../../packages/loopwright/src/control-plane/projection/index.ts";
import { GOAL } from "../../packages/loopwright/src/coordinator/testing/room.ts";
import { type RawGoal, rawGoal } from "./truth/raw-goal.ts";
import { Stage } from "./truth/stage.ts";

const DEEDS = [
  ["coordinate", 3],
  ["take a task", 3],
  ["finish the task", 3],
  ["do an iteration", 9],
  ["kill the coordinator", 2],
  ["close the coordinator", 1],
  ["kill the worker", 2],
  ["pause", 1],
  ["resume", 2],
  ["stop", 1],
  ["edit the active state", 3],
  ["append a run", 2],
  ["append half a run", 1],
  ["switch the branch", 5],
  ["delete the repository", 1],
  ["delete the session", 1],
  ["delete the goal", 1],
  ["keep the projection", 2],
  ["bring the kept projection back", 2],
  ["forge the projection", 1],
  ["delete the projection", 1],
  ["cut the journal", 1],
  ["change a letter of the journal", 2],
] as const;
type Deed = (typeof DEEDS)[number][0];

/** Those that take files away from under a coordinator: what it does then is another test's matter. */
const UNATTENDED: ReadonlySet<Deed> = new Set<Deed>([
  "delete the session",
  "delete the goal",
  "cut the journal",
  "change a letter of the journal",
]);

it("never contradicts files, processes or git, whatever was done to them", async () => {
  const deed = fc.oneof(
    ...DEEDS.map(([name, weight]) => ({ weight, arbitrary: fc.constant(name) })),
  );
  const sequence = fc.array(fc.tuple(deed, fc.nat()), { minLength: 15, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(sequence, async (deeds) => {
      const stage = new Stage();
      try {
        await compare(stage);
        for (const [name, number] of deeds) {
          if (UNATTENDED.has(name) && stage.isServed) continue;
          await act(stage, name, number);
          await compare(stage);
        }
      } finally {
        await stage.close();
      }
    }),
    { numRuns: 8, seed: 20261130, endOnFailure: true },
  );
}, 300_000);

async function act(stage: Stage, deed: Deed, number: number): Promise<void> {
  const { goal, room } = stage;
  const projection = join(room.root, "projections", `${GOAL}.json`);
  const kept = join(room.root, "kept.json");
  const { session } = rawGoal(goal, room.repository);
  const open = session?.status === "running" && session.paused === null;
  const journal = session === null ? "" : join(goal, "sessions", session.id, "journal.jsonl");
  switch (deed) {
    case "coordinate":
      return stage.coordinate(session?.status === "running" ? session.id : undefined);
    case "take a task":
      return open ? stage.takeTask() : undefined;
    case "finish the task":
      return open ? stage.finishTask() : undefined;
    case "do an iteration":
      if (session !== null && session.status === "running" && !open) return;
      await stage.coordinate(open ? session.id : undefined);
      await stage.takeTask();
      return stage.finishTask();
    case "kill the coordinator":
      return stage.killCoordinator();
    case "close the coordinator":
      return stage.closeCoordinator();
    case "kill the worker":
      return stage.killWorker();
    case "pause":
    case "resume":
    case "stop":
      return stage.order(deed);
    case "edit the active state":
      mkdirSync(goal, { recursive: true });
      return writeFileSync(join(goal, "ACTIVE_STATE.md"), stateOf(number));
    case "append a run":
    case "append half a run":
      mkdirSync(goal, { recursive: true });
      return appendFileSync(join(goal, "runs.jsonl"), rowOf(number, deed === "append a run"));
    case "switch the branch":
      if (stage.branch() === null) stage.makeRepository();
      execFileSync("git", ["symbolic-ref", "HEAD", `refs/heads/work-${number % 3}`], {
        cwd: room.repository,
      });
      return;
    case "delete the repository":
      return rmSync(join(room.repository, ".git"), { recursive: true, force: true });
    case "delete the session":
      if (session !== null)
        rmSync(join(goal, "sessions", session.id), { recursive: true, force: true });
      return;
    case "delete the goal":
      return rmSync(goal, { recursive: true, force: true });
    case "keep the projection":
      if (existsSync(projection)) copyFileSync(projection, kept);
      return;
    case "bring the kept projection back":
      if (existsSync(kept)) copyFileSync(kept, projection);
      return;
    case "forge the projection":
      if (!existsSync(projection)) return;
      return writeFileSync(
        projection,
        readFileSync(projection, "utf8").replace('"status":"running"', '"status":"goal_met"'),
      );
    case "delete the projection":
      return rmSync(projection, { force: true });
    case "cut the journal":
      if (journal !== "") truncateSync(journal, lineEnd(journal, number));
      return;
    case "change a letter of the journal": {
      if (journal === "") return;
      const bytes = readFileSync(journal);
      const at = number % bytes.length;
      bytes[at] = bytes[at] === 0x61 ? 0x62 : 0x61;
      return writeFileSync(journal, bytes);
    }
  }
}

/** After one of its lines: everything behind was never written. */
function lineEnd(path: string, number: number): number {
  const text = readFileSync(path, "latin1");
  const ends = [...text.matchAll(/\n/g)].map(({ index }) => index + 1);
  return ends[number % ends.length] ?? text.length;
}

/** Of one length, so that the size tells nothing. */
function stateOf(number: number): string {
  return `## Objective\n\nx\n\n## Next Action\n\n- Do part ${number % 10}\n\n## Todo\n`;
}

function rowOf(number: number, whole: boolean): string {
  const row = {
    run_id: `run-${number % 10}`,
    generated_at: "2026-01-01T00:00:00.000Z",
    kind: "refresh",
    classification: "refresh",
    recommended_action_source: "none",
    state_digest: "",
    path: "",
  };
  return whole ? `\n${JSON.stringify(row)}\n` : '\n{"run_id":"half';
}

/** What a living coordinator does meanwhile may fall between the looks: then it is looked at again. */
async function compare(stage: Stage): Promise<void> {
  const { goal, room } = stage;
  for (let look = 0; ; look += 1) {
    const before = rawGoal(goal, room.repository);
    const shown = whatIsShown(loadProjection(room.root, GOAL, room.seams));
    const after = rawGoal(goal, room.repository);
    if (JSON.stringify(before) !== JSON.stringify(after) && look < 50) continue;
    expect(shown).toEqual(after);
    return;
  }
}

function whatIsShown(shown: Projection): RawGoal {
  const { session } = shown;
  return {
    sessions: shown.sessions,
    session: session && {
      id: session.session_id,
      seq: session.seq,
      status: session.status,
      stop_reason: session.stop_reason,
      iterations: session.iterations,
      attempt: session.task?.attempt_id ?? null,
      paused: session.paused?.reason ?? null,
    },
    phase: shown.phase,
    coordinator: shown.coordinator.liveness === "alive" ? (shown.coordinator.pid ?? null) : null,
    next_action: shown.active_state?.next_action ?? null,
    latest_run: shown.latest_run?.run_id ?? null,
    switched: shown.warnings.some(({ kind }) => kind === "branch_switched"),
    damaged: shown.problems.length > 0,
  };
}
