import { explainDecision, whatIf } from "@loopwright/engine";
import type { Context } from "../context.ts";
import type { OpenedSession } from "../open-session.ts";
import { printable } from "../../read-api/words/printable.ts";
import { editedWorkflow, underEdit } from "./edited-workflow.ts";

/** Replays these lines of a session under the edited rules of one workflow, and tells the first divergence. */
export function explainWhatIf(
  { cwd, output }: Context,
  { id, lines, state }: Pick<OpenedSession, "id" | "lines" | "state">,
  named: string,
): void {
  const edited = editedWorkflow(cwd, named, state.rules);
  const divergence = whatIf(lines, (rules) => underEdit(rules, edited));
  output.document({ session_id: id, workflow_id: edited.id, divergence });
  const replayed = `Session ${id}, replayed with ${printable(named)} as the rules of ${edited.id}`;
  if (divergence === null) {
    output.line(`${replayed}: every decision up to line ${state.seq} would be the same.`);
    return;
  }
  const { seq, was, would, explanation } = divergence;
  output.line(`${replayed}: the first decision that differs is in line ${seq} of the journal.`);
  output.line();
  output.line(`  then      ${was}`);
  output.line(`  with it   ${would}`);
  if (explanation === null) return;
  output.line();
  output.line("Because:");
  for (const sentence of explainDecision(explanation)) output.line(`  ${printable(sentence)}`);
}
