import { lstatSync } from "node:fs";
import { join, resolve } from "node:path";
import { nextActionProjectionWarning } from "@loopwright/engine";
import { type NextActionWarning, type RegistryGoal } from "@loopwright/protocol";
import { runtimeLayout } from "../../store/layout.ts";
import type { BadLine } from "../../store/line-file.ts";
import { readText } from "../../store/read.ts";
import { expandHome, registryProjectRoot } from "../registry-path.ts";
import { type LoopxState, parseActiveGoalState } from "./active-goal-state.ts";
import { latestGoalRun, type LoopxRun, readRunIndex } from "./run-index.ts";

/** A goal of a LoopX project as its files say, read where they lie. Nothing is written. */
export interface LoopxGoal {
  readonly id: string;
  readonly title: string;
  readonly repository: string;
  readonly stopped: boolean;
  /** Null: the registry names none, or it isn't there. */
  readonly stateFile: string | null;
  readonly state: LoopxState | null;
  /** Newest first. */
  readonly runs: readonly LoopxRun[];
  readonly badLines: readonly BadLine[];
  readonly latest: LoopxRun | null;
  /** Between the next action and what the latest run recommends. */
  readonly drift: NextActionWarning | null;
}

export function readLoopxGoal(
  registryPath: string,
  runtimeRoot: string,
  goal: RegistryGoal,
  home: string,
): LoopxGoal {
  const repository = resolve(registryProjectRoot(registryPath), expandHome(goal.repo, home));
  const stateFile = stateFileOf(goal, repository);
  const text = stateFile === null ? undefined : readText(stateFile);
  const state = text === undefined ? null : parseActiveGoalState(text);
  const { directory } = runtimeLayout(runtimeRoot).goal(goal.id);
  const { runs, bad } = readRunIndex(join(directory, "runs", "index.jsonl"));
  const latest = latestGoalRun(runs) ?? null;
  return {
    id: goal.id,
    title: titleOf(goal),
    repository,
    stopped: (goal["activation"] as { state?: unknown } | undefined)?.state === "stopped",
    stateFile: text === undefined ? null : stateFile,
    state,
    runs,
    badLines: bad,
    latest,
    drift: nextActionProjectionWarning({
      activeStateNextAction: state?.nextActions[0] ?? "",
      latestRunRecommendedAction: latest?.recommended_action ?? "",
    }),
  };
}

/** As registered, else where LoopX puts it. */
function stateFileOf(goal: RegistryGoal, repository: string): string | null {
  if (goal.state_file !== undefined) return resolve(repository, goal.state_file);
  const candidates = [".codex", ".loopx", ".claude", ".local"].map((folder) =>
    join(repository, folder, "goals", goal.id, "ACTIVE_GOAL_STATE.md"),
  );
  return candidates.find((path) => lstatSync(path, { throwIfNoEntry: false })?.isFile()) ?? null;
}

function titleOf(goal: RegistryGoal): string {
  const name = goal["display_name"];
  return goal.title === "" && typeof name === "string" ? name : goal.title;
}
