import { expect, test } from "vitest";
import { actionLine, withNextAction } from "./edit.ts";

const AT = "2026-08-01T10:00:00.000Z";

test.each([
  [
    "---\ngoal_id: a\nupdated_at: x\n---\n\n## Next Action\n\n1. Old\n   more <!-- id=1 -->\n2. Then\n",
    "---\ngoal_id: a\nupdated_at: 2026-08-01T10:00:00.000Z\n---\n\n## Next Action\n\n1. New <!-- id=1 -->\n2. Then\n",
  ],
  ["## Next Action\n\n## Todo\n", "## Next Action\n\n- New\n\n## Todo\n"],
  ["## Next Action", "## Next Action\n\n- New\n"],
  ["## Next Action\r\n## Todo", "## Next Action\r\n\r\n- New\r\n\r\n## Todo"],
  ["## Next Action\n- [x] Done\n", "## Next Action\n\n- New\n\n- [x] Done\n"],
  [
    "## Objective\n\nAll\n\n## Todo\n",
    "## Objective\n\nAll\n\n## Next Action\n\n- New\n\n## Todo\n",
  ],
  ["Notes", "Notes\n\n## Next Action\n\n- New\n"],
  ["", "## Next Action\n\n- New\n"],
  ["## Next Action\nOld words\nwrapped\n\nOther", "## Next Action\nNew\n\nOther"],
])("%j becomes %j", (before, after) => {
  expect(withNextAction(before, "New", AT)).toBe(after);
});

test("the same action changes nothing, nor does an empty one", () => {
  const text = "---\nupdated_at: x\n---\n## Next Action\n- Fix it\n  now\n";
  expect(withNextAction(text, " Fix\nit now ", AT)).toBe(text);
  expect(withNextAction(text, "\n", AT)).toBe(text);
});

test("an action is one line that hides nothing", () => {
  expect(actionLine("- [ ] 1. Fix\r\n\u0000 it <!-- x --> now")).toBe("Fix it < !-- x -- > now");
});
