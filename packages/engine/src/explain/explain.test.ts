import { describe, expect, it } from "vitest";
import { finishedOf, innerOuterEval, rulesOf, started, workflow } from "../testing/fixtures.ts";
import { Play } from "../testing/play.ts";
import { playSteadySession } from "../testing/steady-session.ts";
import { explainDecision } from "./explain-decision.ts";
import { explainStop } from "./explain-stop.ts";
import { whatIf } from "./what-if.ts";

describe("explanations", () => {
  it("say why one workflow runs and which rule keeps each other one back", () => {
    const { explanation } = playSteadySession(3).current;
    if (explanation === null) throw new Error("nothing was decided");
    expect(explainDecision(explanation)).toEqual([
      "outer runs: outer is the only eligible workflow.",
      "outer is eligible: run_every holds (1 of 1 others since 2).",
      "inner is not eligible: must_follow fails (no success of outer since 2); run_every fails (0 of 1 others since 3).",
      "eval_reviewer is not eligible: run_when_requested fails (no request); run_every holds (2 of 1 others since 1).",
      "eval_runner is not eligible: run_when_requested fails (no request); must_follow holds (eval_reviewer succeeded at 1); run_every holds (never started).",
    ]);
  });

  it("of a stop give its numbers and the command that goes on", () => {
    const play = new Play({
      kind: "started",
      started: started(rulesOf([workflow("only")], { limits: { max_iterations: 1 } })),
    });
    play.feed({ kind: "next", next: play.next() });
    const { task } = play;
    if (task.kind === "workflow")
      play.feed({
        kind: "finished",
        finished: finishedOf(task, { cost_usd: 0.5 }),
        next: play.next(),
      });
    expect(explainStop(play.current)).toEqual([
      "The session is stopped: max_iterations. max_iterations is 1: 1 are used, and the next iteration may need 1.",
      "1 of 1 iterations, tokens unknown, $0.50, 0 verifications.",
      "Continue: loopwright resume --max-iterations +20",
    ]);
  });
});

describe("what if", () => {
  it("the rules were the same: nothing differs", () => {
    const play = playSteadySession(20);
    expect(whatIf(play.lines, (rules) => rules)).toBeNull();
  });

  it("inner had to wait longer: the first decision that differs is told", () => {
    const play = playSteadySession(20);
    const workflows = innerOuterEval().map((each) =>
      each.id === "inner" ? { ...each, run_every: 4 } : each,
    );
    expect(whatIf(play.lines, () => rulesOf(workflows))).toMatchObject({
      was: "inner as iteration 5",
      would: "outer as iteration 5",
    });
  });
});
