import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { JournalLine, RegistryGoal } from "@loopwright/protocol";
import {
  loadProjection,
  writeProjection,
} from "../../packages/loopwright/src/control-plane/projection/index.ts";
import { readSession } from "../../packages/loopwright/src/control-plane/session/read-session.ts";
import { createProcesses } from "../../packages/loopwright/src/process/processes.ts";
import { systemClock } from "../../packages/loopwright/src/seams/clock.ts";
import { systemDisk } from "../../packages/loopwright/src/store/disk.ts";
import { encodeLine } from "../../packages/loopwright/src/store/journal-line.ts";
import { type Room, STOPPED } from "./room.ts";

const RUNS = 10;

/** A project with many goals, of which each has one session that did ten iterations. */
export interface ManyGoals {
  readonly registry: string;
  readonly runtimeRoot: string;
  readonly ids: readonly string[];
  /** Lists the first `count` of them in the registry, as if there were no others. */
  list(count: number): void;
}

/** One session is really run; the others are the same with another goal's id, in a chain of their own. */
export async function makeManyGoals(room: Room, count: number): Promise<ManyGoals> {
  await room.call(["run", "--max-iterations", String(RUNS)], [STOPPED]);
  const runtimeRoot = join(room.directory, "runtime");
  const registry = join(room.repository, ".loopwright/registry.json");
  const written = JSON.parse(readFileSync(registry, "utf8")) as { goals: [RegistryGoal] };
  const ids = Array.from({ length: count }, (_, k) => `goal-${String(k + 1).padStart(5, "0")}`);
  const copy = copierOf(room, runtimeRoot);
  for (const id of ids) copy(id);
  // What has just changed isn't trusted by its times alone: measured is what stands since a while.
  await systemClock.sleep(100);
  const seams = { clock: systemClock, processes: createProcesses() };
  for (const id of ids)
    writeProjection(systemDisk, runtimeRoot, loadProjection(runtimeRoot, id, seams));
  return {
    registry,
    runtimeRoot,
    ids,
    list(shown) {
      const goals = ids.slice(0, shown).map((id) => ({ ...written.goals[0], id }));
      writeFileSync(registry, JSON.stringify({ ...written, goals }));
    },
  };
}

function copierOf(room: Room, runtimeRoot: string): (id: string) => void {
  const from = room.session();
  const text = (path: string): string => readFileSync(join(from, path), "utf8");
  const { lines } = readSession(from);
  const original = join(runtimeRoot, "goals", "bench");
  const goalJson = readFileSync(join(original, "goal.json"), "utf8");
  const state = readFileSync(join(original, "ACTIVE_STATE.md"), "utf8");
  const runs = runsOf(original, from, lines);
  const [session, goal] = [text("session.json"), text("goal.md")];
  return (id) => {
    const named = (content: string): string => content.replaceAll('"bench"', JSON.stringify(id));
    const directory = join(runtimeRoot, "goals", id);
    const place = join(directory, "sessions", basename(from));
    mkdirSync(place, { recursive: true });
    mkdirSync(join(directory, "locks"));
    const identity = named(session);
    const sha256 = createHash("sha256").update(identity).digest("hex");
    writeFileSync(join(directory, "goal.json"), named(goalJson));
    writeFileSync(join(directory, "ACTIVE_STATE.md"), named(state));
    writeFileSync(join(directory, "runs.jsonl"), runs);
    writeFileSync(join(place, "session.json"), identity);
    writeFileSync(join(place, "goal.md"), goal);
    writeFileSync(join(place, "journal.jsonl"), chainOf(lines, id, sha256));
  };
}

function runsOf(goal: string, session: string, lines: readonly JournalLine[]): string {
  const finished = lines.flatMap(({ at, records }) =>
    records.flatMap((record) => (record.type === "task_finished" ? [{ at, ...record.data }] : [])),
  );
  const rows = finished.map(({ at, iteration, workflow_id }) => ({
    run_id: `${basename(session)}-${String(iteration).padStart(4, "0")}`,
    generated_at: at,
    kind: "iteration",
    session_id: basename(session),
    iteration,
    workflow_id,
    classification: "succeeded",
    recommended_action: "Go on with the next part of the work",
    recommended_action_source: "report",
    state_digest: createHash("sha256")
      .update(readFileSync(join(goal, "ACTIVE_STATE.md")))
      .digest("hex"),
    path: `sessions/${basename(session)}/iterations/${String(iteration).padStart(4, "0")}_${workflow_id}`,
  }));
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

function chainOf(lines: readonly JournalLine[], id: string, sha256: string): Buffer {
  let prev = "";
  const bytes = lines.map(({ seq, at, epoch, records }) => {
    const own = records.map((record) =>
      record.type === "session_started"
        ? { ...record, data: { ...record.data, goal_id: id, session_sha256: sha256 } }
        : record,
    );
    const line = encodeLine({ seq, at, epoch, prev, records: own });
    prev = line.toString("latin1", line.length - 19, line.length - 3);
    return line;
  });
  return Buffer.concat(bytes);
}
