import { describe, expect, it } from "vitest";
import { finishedOf, rulesOf, started, workflow } from "../testing/fixtures.ts";
import { Play } from "../testing/play.ts";
import type { State } from "../state/state.ts";
import { limitAhead } from "./limit-ahead.ts";

/** One iteration of these costs under these limits, and the end that the limit made. */
function stopped(
  limits: Parameters<typeof rulesOf>[1],
  costs: { cost_usd?: number | null } = {},
): State {
  const play = new Play({ kind: "started", started: started(rulesOf([workflow("only")], limits)) });
  play.feed({ kind: "next", next: play.next() });
  const { task } = play;
  if (task.kind !== "workflow") throw new Error("nothing was assigned");
  play.feed({ kind: "finished", finished: finishedOf(task, costs), next: play.next() });
  return play.current;
}

describe("a session that a limit stopped", () => {
  it("would stop again where the limit isn't raised, or not far enough", () => {
    const state = stopped({ limits: { max_iterations: 1 } });
    expect(limitAhead(state, [])).toEqual({
      limit: "max_iterations",
      detail: "max_iterations is 1: 1 used, and the next iteration may need 1.",
      hint: "Continue: loopwright resume --max-iterations +20",
    });
    expect(limitAhead(state, [{ limit: "max_cost_usd", to: 5 }])).not.toBeNull();
    expect(limitAhead(state, [{ limit: "max_iterations", to: 2 }])).toBeNull();
    const dear = stopped({ limits: { max_cost_usd: 1.5 } }, { cost_usd: 1 });
    expect(limitAhead(dear, [{ limit: "max_cost_usd", to: 1.9 }])?.detail).toBe(
      "max_cost_usd is $1.90: $1.00 used, and the next iteration may need $1.00.",
    );
    expect(limitAhead(dear, [{ limit: "max_cost_usd", to: 2 }])).toBeNull();
  });

  it("goes on where reopening it is what it waited for: a person accepts the unknown cost", () => {
    const state = stopped({ limits: { max_cost_usd: 5 }, unknown_cost: "stop" });
    expect(state.stop_reason).toBe("max_cost_usd");
    expect(limitAhead(state, [])).toBeNull();
  });

  it("says nothing of sessions that run, or that something else stopped", () => {
    const running = stopped({});
    expect(running.status).toBe("running");
    expect(limitAhead(running, [])).toBeNull();
  });
});
