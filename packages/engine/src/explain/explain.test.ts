import { describe, expect, it } from "vitest";
import {
  attemptOf,
  changesAt,
  finishedOf,
  innerOuterEval,
  treeOf,
  rulesOf,
  started,
  workflow,
} from "../testing/fixtures.ts";
import { gated, red } from "../testing/gated-session.ts";
import { Play, timeOf } from "../testing/play.ts";
import { playSteadySession } from "../testing/steady-session.ts";
import { checksAge } from "./checks-age.ts";
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
      "The session is stopped: max_iterations is 1: 1 used, and the next iteration may need 1.",
      "1 of 1 iteration, tokens unknown, $0.50, 0 verifications.",
      "Continue: loopwright resume --max-iterations +20",
    ]);
  });
});

describe("a workflow that is alone", () => {
  it("runs because it is alone, and no rule about turns is said to fail", () => {
    const play = new Play({ kind: "started", started: started(rulesOf([workflow("work")])) });
    play.feed({ kind: "next", next: play.next() });
    const { task } = play;
    if (task.kind !== "workflow") throw new Error("nothing was assigned");
    play.feed({ kind: "finished", finished: finishedOf(task), next: play.next() });
    const { explanation } = play.current;
    expect(explanation).toMatchObject({ chosen: "work", yielded: true });
    expect(explanation && explainDecision(explanation)).toEqual([
      "work runs: it is the only workflow.",
    ]);
  });
});

describe("the age of checks", () => {
  it("is told by the iteration, and whether any was done since", () => {
    const session = red();
    expect(checksAge(session.current)).toBe("at the baseline, before iteration 1");
    session.finish();
    expect(checksAge(session.current)).toBe("at the baseline, before iteration 1; not run since");
    session.finish();
    session.claim();
    session.verify({ test: "fail" }, 3);
    expect(checksAge(session.current)).toBe("after iteration 3");
    session.finish({ changes: changesAt(treeOf(3)) });
    expect(checksAge(session.current)).toBe(
      "after iteration 3; not run since, and the tree is the same",
    );
    expect(checksAge(new Play({ kind: "started", started: started(gated()) }).current)).toBeNull();
  });

  it("stands with the last checks of an explained stop", () => {
    const session = red(gated({}, { max_iterations: 1 }));
    session.finish();
    expect(explainStop(session.current)).toContain(
      "The last checks, at the baseline, before iteration 1; not run since: test fail, lint pass (evaluations/0000-1).",
    );
  });
});

describe("guidance that is left over", () => {
  it("is told at the end: a met goal leaves it behind, another end puts it off", () => {
    const given = (id: string, text: string) => ({
      kind: "inputs" as const,
      inputs: [{ id, text, at: timeOf(3) }],
    });
    const met = red(gated({}, { max_iterations: 1 }));
    met.claim();
    met.feed(given(attemptOf(900), "Keep it\n  short"));
    met.verify({ test: "pass" }, 1);
    expect(explainStop(met.current)).toEqual([
      "Goal met, and verified. Every required check passes at the tree of the claim.",
      "1 of 1 iteration, tokens and cost unknown, 2 verifications.",
      "The last checks, after iteration 1: test pass, lint pass (evaluations/0001-1).",
      "Guidance that reached no iteration: Keep it short",
      "A met goal is final. A new session: loopwright run --new",
    ]);
    const stopped = red(gated({}, { max_iterations: 1 }));
    stopped.feed(given(attemptOf(900), "Keep it short"));
    stopped.finish();
    expect(explainStop(stopped.current)).toContain(
      "Guidance that waits for the next iteration: Keep it short",
    );
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
