import type { DriftFactWarning } from "@loopwright/protocol";
import { readAction } from "../reading/read-action.ts";
import { type AboutGoal, warn } from "./warn.ts";

export interface TodoFacts extends AboutGoal {
  readonly nextAction: string | null;
  /** Open entries under `## Todo`, by who is to do them. */
  readonly openTodos: { readonly you: number; readonly agent: number };
}

/**
 * The next action asks for something that no todo stands for. One that waits needs a todo of yours: nobody else would
 * notice. One that acts needs an agent's, which is only to know: the loop works from the next action anyway.
 */
export function proseWithoutTodoWarning({
  nextAction,
  openTodos,
  goalId = "GOAL",
}: TodoFacts): DriftFactWarning | null {
  const action = readAction(nextAction ?? "");
  if (action.tokens.length === 0) return null;
  const who = action.waits ? "you" : "agent";
  if (openTodos[who] > 0) return null;
  return warn({
    kind: "prose_without_todo",
    severity: action.waits ? "watch" : "info",
    reason: action.waits
      ? "The next action waits for something, but no open todo says that it waits for you."
      : "The next action stands alone: no open todo of an agent goes with it.",
    recommended: action.waits
      ? `Add a (you) entry under ## Todo of ACTIVE_STATE.md that says what is missing, then: loopwright refresh ${goalId}`
      : `Add an (agent) entry under ## Todo of ACTIVE_STATE.md if it should be ticked off, then: loopwright refresh ${goalId}`,
    evidence: [
      { source: "ACTIVE_STATE.md, ## Next Action", says: shown(nextAction ?? "") },
      {
        source: "ACTIVE_STATE.md, ## Todo",
        says: `has ${openTodos.you} open for you and ${openTodos.agent} open for an agent`,
      },
    ],
  });
}

const SHOWN = 200;

function shown(text: string): string {
  const line = text
    .slice(0, SHOWN * 2)
    .replace(/\s+/gu, " ")
    .trim();
  return line.length > SHOWN ? `${line.slice(0, SHOWN - 1)}…` : line;
}
