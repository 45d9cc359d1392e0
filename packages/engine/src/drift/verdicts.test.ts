import { describe, expect, it } from "vitest";
import { actionsAreAligned, compareActions } from "./compare-actions.ts";
import { nextActionProjectionWarning } from "./next-action-projection-warning.ts";
import { ROWS_OF_ACTIONS } from "./testing/rows-of-actions.ts";
import { ROWS_OF_NEGATION } from "./testing/rows-of-negation.ts";
import { ROWS_OF_TARGETS } from "./testing/rows-of-targets.ts";
import { ROWS_OF_THE_DESIGN } from "./testing/rows-of-the-design.ts";
import { ROWS_OF_WORDING } from "./testing/rows-of-wording.ts";

const TABLES = {
  "the design": ROWS_OF_THE_DESIGN,
  negation: ROWS_OF_NEGATION,
  targets: ROWS_OF_TARGETS,
  actions: ROWS_OF_ACTIONS,
  wording: ROWS_OF_WORDING,
};

for (const [name, rows] of Object.entries(TABLES)) {
  describe(`verdicts on ${name}`, () => {
    it.each(rows.map(([a, b, verdict]) => [a.slice(-60), b.slice(-60), verdict, a, b] as const))(
      "%j and %j: %s",
      (_a, _b, verdict, a, b) => {
        const comparison = compareActions(a, b);
        const found =
          comparison.verdict === "diverged" ? comparison.divergence : comparison.verdict;
        if (verdict === "diverged") expect(comparison.verdict).toBe("diverged");
        else expect(found).toBe(verdict);

        const back = compareActions(b, a);
        expect(back.verdict === "diverged" ? back.divergence : back.verdict).toBe(found);
        expect(actionsAreAligned(a, b)).toBe(comparison.verdict === "aligned");
        const warning = nextActionProjectionWarning({
          activeStateNextAction: a,
          latestRunRecommendedAction: b,
        });
        expect(warning?.divergence ?? "aligned").toBe(found);
      },
    );
  });
}
