import fc from "fast-check";
import { expect, test } from "vitest";
import { actionLine, withNextAction } from "./edit.ts";
import { nextActionOf, parseActiveState } from "./parse-active-state.ts";

const piece = fc.constantFrom(
  "## Next Action",
  "## Todo",
  "## Objective",
  "# Title",
  "---",
  "updated_at: old",
  "goal_id: a",
  "- one",
  "2. two",
  "  more",
  "plain",
  "- [ ] open",
  "- [x] done",
  "-",
  "```",
  "~~~",
  "",
  "* * *",
  "<!-- hidden -->",
  "<!-- begins",
  "ends -->",
  "- a <!-- id=1 -->",
  "\t- tab",
  "### sub",
  "\ufeff---",
);
const text = fc
  .tuple(
    fc.array(fc.oneof({ arbitrary: piece, weight: 9 }, fc.string())),
    fc.constantFrom("\n", "\r\n"),
  )
  .map(([lines, eol]) => lines.join(eol));
const action = fc.oneof(
  fc.string({ minLength: 1 }),
  piece,
  fc.constant("Fix it -->\n- [ ] x <!-- y"),
);
const AT = "2026-08-01T10:00:00.000Z";

test("a next action that was written is the one that is read", () => {
  fc.assert(
    fc.property(text, action, (before, wanted) => {
      fc.pre(actionLine(wanted) !== "");
      expect(nextActionOf(withNextAction(before, wanted, AT))).toBe(actionLine(wanted));
    }),
    { numRuns: 1000 },
  );
});

test("everything else stays as it is", () => {
  fc.assert(
    fc.property(text, action, (before, wanted) => {
      const [old, now] = [before, withNextAction(before, wanted, AT)].map(parseActiveState);
      expect(now?.objective.split(/\s+/)).toEqual(old?.objective.split(/\s+/));
      expect(now?.nextActions.slice(1).map((entry) => entry.text)).toEqual(
        old?.nextActions.slice(1).map((entry) => entry.text),
      );
      for (const section of ["todos", "decisions", "feedback", "progress"] as const)
        expect(now?.[section].map((entry) => entry.text)).toEqual(
          old?.[section].map((entry) => entry.text),
        );
    }),
    { numRuns: 700 },
  );
});
