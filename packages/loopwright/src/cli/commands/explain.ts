import { explainDecision, explainStop } from "@loopwright/engine";
import { LoopwrightError } from "@loopwright/protocol";
import type { Invocation } from "../catalogue/dispatch.ts";
import type { Context } from "../context.ts";
import { explainWhatIf } from "../explain/explain-what-if.ts";
import { foldAll, openSession } from "../open-session.ts";
import { printable } from "../../read-api/words/printable.ts";
import { waitingText } from "../../read-api/words/waiting.ts";
import { findGoal } from "../target.ts";

export async function run(context: Context, { args, options }: Invocation): Promise<number> {
  const { output } = context;
  const { at, whatIf } = options as { at?: number; whatIf?: string };
  const opened = openSession(findGoal(context), String(args[0]));
  const lines = at === undefined ? opened.lines : opened.lines.filter(({ seq }) => seq <= at);
  if (lines.length === 0)
    throw new LoopwrightError("USAGE", `The journal of ${opened.id} begins after line ${at}`);
  const state = lines === opened.lines ? opened.state : foldAll(lines);
  if (whatIf !== undefined) {
    explainWhatIf(context, { id: opened.id, lines, state }, whatIf);
    return 0;
  }
  const decision = state.explanation === null ? [] : explainDecision(state.explanation);
  const stop = explainStop(state);
  const waits = waitingText(state);
  output.line(`Session ${opened.id}, at line ${state.seq} of its journal`);
  if (decision.length > 0) {
    output.line();
    output.line("The last decision of the scheduler:");
    for (const sentence of decision) output.line(`  ${printable(sentence)}`);
  }
  for (const sentence of waits) output.line(`\n${printable(sentence)}`);
  if (stop.length > 0) {
    output.line();
    for (const sentence of stop) output.line(printable(sentence));
  }
  output.document({
    session_id: opened.id,
    seq: state.seq,
    decision,
    waiting: waits,
    stop,
    explanation: state.explanation,
  });
  return 0;
}
