import { ITEM } from "./entries.ts";
import type { Line } from "./lines.ts";

export interface Todo {
  readonly text: string;
  /** 0 is most urgent. Null: none was given. */
  readonly priority: number | null;
  /** `agent` where nothing is said. */
  readonly role: "you" | "agent";
  readonly state: "open" | "done" | "deferred" | "blocked";
  /** From its HTML comment: `<!-- id=t1 status=blocked -->`. */
  readonly metadata: ReadonlyMap<string, string>;
  /** Line number from 1. */
  readonly line: number;
}

/** `- [ ] [P1] (you) text <!-- key=value … -->`; the comment may stand on a line of its own below. */
export function todosOf(lines: readonly Line[]): Todo[] {
  const todos: Todo[] = [];
  let open: Draft | undefined;
  const close = (): void => {
    if (open !== undefined) todos.push(finished(open));
    open = undefined;
  };
  for (const line of lines) {
    const item = line.fenced ? undefined : ITEM.exec(line.text)?.[1];
    const [, mark, text] = (item !== undefined && TASK.exec(item)) || [];
    if (mark !== undefined) {
      close();
      const metadata = metadataOf(line.comments);
      open = { mark, words: [text ?? ""], metadata, line: line.number };
    } else if (open !== undefined) {
      const visible = line.text.trim();
      if (visible !== "" && !/^(?:[ ]{2,}|[ ]*\t)/.test(line.text)) close();
      else open = continued(open, visible, line.comments);
    }
  }
  close();
  return todos;
}

/** Most urgent first, those without a priority last, else in the order of the text. */
export function byPriority(todos: readonly Todo[]): Todo[] {
  return todos.toSorted((a, b) => (a.priority ?? Infinity) - (b.priority ?? Infinity) || 0);
}

const TASK = /^\[([ xX-])\](?:[ \t]+(.*))?$/;

interface Draft {
  readonly mark: string;
  /** Grows: a todo may have very many lines. */
  readonly words: string[];
  readonly metadata: ReadonlyMap<string, string> | undefined;
  readonly line: number;
}

function continued(open: Draft, visible: string, comments: readonly string[]): Draft {
  if (visible !== "") open.words.push(visible);
  return { ...open, metadata: open.metadata ?? metadataOf(comments) };
}

function finished({ mark, words, metadata = new Map(), line }: Draft): Todo {
  let text = words.join(" ").replace(/\s+/g, " ").trim();
  let priority: number | null = null;
  let role: Todo["role"] | undefined;
  for (;;) {
    const [whole, level, who] = /^(?:\[P([0-4])\]|\((you|agent)\))\s*/i.exec(text) ?? [];
    const isNew = level === undefined ? role === undefined : priority === null;
    if (whole === undefined || !isNew) break;
    if (level !== undefined) priority = Number(level);
    else role = who?.toLowerCase() === "you" ? "you" : "agent";
    text = text.slice(whole.length);
  }
  const state = stateOf(mark, metadata.get("status"));
  return { text, priority, role: role ?? "agent", state, metadata, line };
}

/** The metadata wins over the mark, but a tick is a tick. */
function stateOf(mark: string, status: string | undefined): Todo["state"] {
  if (mark === "x" || mark === "X" || status === "done") return "done";
  if (status === "open" || status === "deferred" || status === "blocked") return status;
  return mark === "-" ? "deferred" : "open";
}

function metadataOf(comments: readonly string[]): Map<string, string> | undefined {
  for (const comment of comments) {
    const pairs = [...comment.matchAll(/([\w.-]{1,64})=(\S*)/g)];
    if (pairs.length > 0)
      return new Map(pairs.map(([, key, value]) => [key ?? "", decoded(value ?? "")]));
  }
  return undefined;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
