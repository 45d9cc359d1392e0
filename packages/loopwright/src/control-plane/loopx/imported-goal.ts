import { createHash } from "node:crypto";
import { runRow, type RunRow } from "@loopwright/protocol";
import { instantOf } from "./attention.ts";
import type { LoopxTodo } from "./active-goal-state.ts";
import type { LoopxGoal } from "./read-loopx-goal.ts";
import type { LoopxRun } from "./run-index.ts";

/** What a LoopX goal becomes in Loopwright, as the text of its files. */
export interface ImportedGoal {
  readonly title: string;
  /** `.loopwright/goal.md`. */
  readonly goalText: string;
  /** `ACTIVE_STATE.md`. */
  readonly activeState: string;
  /** `runs.jsonl`, oldest first. */
  readonly runs: readonly RunRow[];
  /** Runs that have no time that can be read. */
  readonly skipped: number;
}

export function importedGoal(goal: LoopxGoal, goalId: string, at: string): ImportedGoal {
  const objective = goal.state?.objective ?? "";
  const title =
    goal.title === "" ? (objective.split("\n")[0] ?? goal.id).slice(0, 100) : goal.title;
  const rows = [...goal.runs].reverse().map((run) => rowOf(goal, run));
  const runs = rows.flatMap((row) => (row === undefined ? [] : [row]));
  return {
    title,
    goalText: goalTextOf(goal, title === "" ? goal.id : title, objective),
    activeState: activeStateOf(goal, goalId, at, objective),
    runs,
    skipped: rows.length - runs.length,
  };
}

function goalTextOf(goal: LoopxGoal, title: string, objective: string): string {
  const terms = goal.state?.terms ?? [];
  const parts = [
    `# ${title.replace(/\s+/g, " ")}`,
    ...(objective === "" || objective === title ? [] : [objective]),
    ...terms.map(([heading, text]) => `## ${heading}\n\n${text}`),
  ];
  return `${parts.join("\n\n")}\n`;
}

function activeStateOf(goal: LoopxGoal, goalId: string, at: string, objective: string): string {
  const { state } = goal;
  const sections: [string, readonly string[]][] = [
    ["Objective", objective === "" ? [] : [objective]],
    ["Next Action", bullets(state?.nextActions ?? [])],
    ["Todo", (state?.todos ?? []).map(todoLine)],
    ["Decisions", []],
    ["Recent Feedback", bullets(state?.feedback ?? [])],
    ["Progress", bullets(state?.progress ?? [])],
  ];
  const body = sections.map(([heading, lines]) =>
    lines.length === 0 ? `## ${heading}\n` : `## ${heading}\n\n${lines.join("\n")}\n`,
  );
  return `---\ngoal_id: ${JSON.stringify(goalId)}\nupdated_at: ${at}\n---\n\n${body.join("\n")}`;
}

function bullets(entries: readonly string[]): string[] {
  return entries.map((entry) => `- ${entry}`);
}

function todoLine({ id, role, priority, text, state }: LoopxTodo): string {
  const words = [
    `- [${state === "done" ? "x" : " "}]`,
    ...(priority === null ? [] : [`[P${priority}]`]),
    role === "user" ? "(you)" : "(agent)",
    text,
    ...(id === null && state !== "deferred" && state !== "blocked"
      ? []
      : [`<!-- ${[...(id === null ? [] : [`id=${id}`]), `status=${state}`].join(" ")} -->`]),
  ];
  return words.join(" ");
}

/** The same run gives the same id, so that a second import adds nothing. */
function rowOf(goal: LoopxGoal, run: LoopxRun): RunRow | undefined {
  const at = instantOf(run.generated_at);
  if (at === undefined) return undefined;
  const identity = JSON.stringify([goal.id, run.generated_at, run.json_path, run.markdown_path]);
  const action = run.recommended_action ?? "";
  const parsed = runRow.safeParse({
    run_id: `loopx-${createHash("sha256").update(identity).digest("hex").slice(0, 12)}`,
    generated_at: at,
    kind: "refresh",
    classification: run.classification,
    ...(action === "" ? {} : { recommended_action: action }),
    recommended_action_source: run.recommended_action_source ?? "unknown",
    state_digest: run.state?.sha256_16 ?? "",
    path: run.json_path ?? "",
  });
  return parsed.success ? parsed.data : undefined;
}
