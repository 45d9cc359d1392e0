import type { Rules } from "@loopwright/protocol";
import { finishedOf, innerOuterEval, rulesOf, started } from "./fixtures.ts";
import { Play } from "./play.ts";

/** An ordinary night's session of the recommended set: every iteration succeeds, reports and moves the tree. */
export function playSteadySession(
  iterations: number,
  rules: Rules = rulesOf(innerOuterEval()),
): Play {
  const play = new Play({ kind: "started", started: started(rules) });
  play.feed({ kind: "next", next: play.next() });
  for (let at = 1; at <= iterations; at++) {
    const { task } = play;
    if (task.kind !== "workflow") throw new Error("a session without checks has no verifications");
    const usage = {
      input_tokens: 1200,
      cached_input_tokens: 300,
      output_tokens: 400,
      reasoning_tokens: null,
      model: "fake",
      basis: "invocation" as const,
    };
    const value = {
      schema_version: 1 as const,
      attempt_id: task.attempt_id,
      summary: `Finished step ${at} of the plan.`,
      recommended_action: `Do step ${at + 1}`,
      evidence: [],
      blockers: [],
      learned: [],
      inputs: [],
      questions: [],
      todos_done: [],
      todos_add: [],
    };
    const finished = finishedOf(task, { usage, cost_usd: 0.01, report: { state: "valid", value } });
    play.feed({ kind: "finished", finished, next: play.next() });
  }
  return play;
}
