import { createHash } from "node:crypto";
import { entriesOf, readSections } from "./sections.ts";

export interface LoopxTodo {
  readonly id: string | null;
  readonly role: "user" | "agent";
  /** 0 is most urgent. Null: none was given. */
  readonly priority: number | null;
  readonly text: string;
  readonly state: "open" | "done" | "deferred" | "blocked";
  readonly taskClass: string | null;
}

/** `ACTIVE_GOAL_STATE.md` of a LoopX goal. */
export interface LoopxState {
  readonly objective: string;
  readonly updatedAt: string | null;
  readonly nextActions: readonly string[];
  readonly todos: readonly LoopxTodo[];
  readonly feedback: readonly string[];
  readonly progress: readonly string[];
  /** Sections that say what the goal is beside its objective: heading, text. */
  readonly terms: readonly (readonly [heading: string, text: string])[];
  /** sha256 of the text; LoopX notes its first 16 hex in its runs. */
  readonly digest: string;
}

export function parseActiveGoalState(text: string): LoopxState {
  const { front, section, all } = readSections(text);
  const named = (name: string): readonly string[] => section((heading) => heading === name) ?? [];
  const objective = named("objective").join("\n").trim();
  return {
    objective: objective === "" ? (front.get("objective") ?? "") : objective,
    updatedAt: front.get("updated_at") ?? null,
    nextActions: entriesOf(named("next action")),
    todos: [
      ...todosOf(all(isUserSection), "user"),
      ...todosOf(
        all((heading) => /agent todo|codex todo/.test(heading) && !isArchive(heading)),
        "agent",
      ),
    ],
    feedback: entriesOf(named("recent user feedback")),
    progress: entriesOf(named("progress ledger")),
    terms: TERMS.flatMap((heading) => {
      const body = named(heading.toLowerCase()).join("\n").trim();
      return body === "" ? [] : [[heading, body] as const];
    }),
    digest: createHash("sha256").update(text).digest("hex"),
  };
}

const TERMS = ["Non-Goals", "Authority Sources", "Operating Contract"];

function isUserSection(heading: string): boolean {
  return (
    /user todo|owner review reading queue|owner reading queue/.test(heading) && !isArchive(heading)
  );
}

function isArchive(heading: string): boolean {
  return /todo archive|work archive|completed archive|completed work/.test(heading);
}

/** `- [ ] [P1] text`, and on the next line `<!-- loopx:todo key=value … -->`. */
function todosOf(lines: readonly string[], role: LoopxTodo["role"]): LoopxTodo[] {
  const todos: LoopxTodo[] = [];
  for (const [index, line] of lines.entries()) {
    const [, mark, body] = /^\s*[-*+]\s+\[([ xX-])\]\s+(.*)$/.exec(line) ?? [];
    if (mark === undefined || body === undefined) continue;
    const metadata = metadataOf(line) ?? metadataOf(lines[index + 1] ?? "");
    const [, level, rest] = /^\[P([0-4])\]\s*(.*)$/.exec(body) ?? [];
    todos.push({
      id: metadata?.get("todo_id") ?? null,
      role,
      priority: level === undefined ? null : Number(level),
      text: (rest ?? body).replace(/<!--.*?-->/g, "").trim(),
      state: stateOf(mark, metadata?.get("status")),
      taskClass: metadata?.get("task_class") ?? null,
    });
  }
  return todos;
}

/** The metadata wins over the mark. */
function stateOf(mark: string, status: string | undefined): LoopxTodo["state"] {
  if (status === "open" || status === "done" || status === "deferred" || status === "blocked") {
    return status;
  }
  return mark === " " ? "open" : mark === "-" ? "deferred" : "done";
}

function metadataOf(line: string): Map<string, string> | undefined {
  const body = /<!--\s*loopx:todo\s+(.*?)-->/.exec(line)?.[1];
  if (body === undefined) return undefined;
  const pairs = body
    .trim()
    .split(/\s+/)
    .map((pair): [string, string] => {
      const at = pair.indexOf("=");
      return [pair.slice(0, at), decoded(pair.slice(at + 1))];
    });
  return new Map(pairs);
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
