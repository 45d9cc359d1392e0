import type { Projection } from "@loopwright/protocol";
import { readText } from "../../store/read.ts";
import { parseActiveState } from "../active-state/parse-active-state.ts";

/** What a projection keeps of `ACTIVE_STATE.md`. Throws FILE_UNSAFE. */
export function activeStateOf(path: string): {
  value: Projection["active_state"];
  digest: string | null;
} {
  const text = readText(path);
  if (text === undefined) return { value: null, digest: null };
  const { digest, nextActions, todos } = parseActiveState(text);
  const open = (role: "you" | "agent"): number =>
    todos.filter((todo) => todo.state === "open" && todo.role === role).length;
  return {
    value: {
      digest,
      next_action: nextActions[0]?.text ?? null,
      open_todos: { you: open("you"), agent: open("agent") },
    },
    digest,
  };
}
