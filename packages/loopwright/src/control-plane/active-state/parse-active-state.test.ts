import { expect, test } from "vitest";
import { readFrontMatter } from "./front-matter.ts";
import { nextActionOf, parseActiveState } from "./parse-active-state.ts";
import { byPriority } from "./todos.ts";

const WHOLE = `\ufeff---
goal_id: "shop"
updated_at: 2026-08-01T10:00:00.000Z
---

# Shop

## Objective

Sell things. <!-- and
## Todo
hidden --> Honestly.

## Next Action

1. [x] Done already
2. Send the mail
   to everybody

   and wait
   - not twice
- Later

## Todo

- [ ] [P2] Second <!-- id=t2 -->
- [ ] (you) [P0] Decide %2520
  about the colour
  <!-- note=a%20b status=blocked -->
- [x] Gone
- [-] Perhaps
- [ ] Plain
- no task

## Decisions

- Use the existing mailer

## Recent Feedback
Nice work
so far

More colour

## Progress
* * *
- 3 of 7
`;

test.each([
  ["LF", WHOLE],
  ["CRLF", WHOLE.replaceAll("\n", "\r\n")],
])("every section is read, with line numbers (%s)", (_name, text) => {
  const state = parseActiveState(text);
  expect(state.objective).toBe("Sell things.\n\nHonestly.");
  expect(state.nextActions.map(({ text: action, line }) => [action, line])).toEqual([
    ["Send the mail to everybody and wait; not twice", 17],
    ["Later", 22],
  ]);
  expect(
    state.todos.map((todo) => [todo.text, todo.priority, todo.role, todo.state, todo.line]),
  ).toEqual([
    ["Second", 2, "agent", "open", 26],
    ["Decide %2520 about the colour", 0, "you", "blocked", 27],
    ["Gone", null, "agent", "done", 30],
    ["Perhaps", null, "agent", "deferred", 31],
    ["Plain", null, "agent", "open", 32],
  ]);
  expect(state.todos[1]?.metadata.get("note")).toBe("a b");
  expect(byPriority(state.todos).map(({ line }) => line)).toEqual([27, 26, 30, 31, 32]);
  expect(state.decisions.map((entry) => entry.text)).toEqual(["Use the existing mailer"]);
  expect(state.feedback.map((entry) => entry.text)).toEqual(["Nice work so far", "More colour"]);
  expect(state.progress.map((entry) => entry.text)).toEqual(["3 of 7"]);
  expect(state.problems).toEqual([]);
  expect(readFrontMatter(text)).toMatchObject({
    goalId: "shop",
    updatedAt: "2026-08-01T10:00:00.000Z",
  });
});

test.each([
  ["## Next Action\n\n- Fix it\n  and test it\n- Later\n\n## Todo\n", "Fix it and test it"],
  ["## Next Action\n1. First\n## Todo\n- Other", "First"],
  ["## Next Action\n<!-- - no -->\nPlain text", "Plain text"],
  ["## Next Action\n\n## Todo\n- Other", undefined],
  ["##  next   ACTION ##\n-\n- B", "B"],
  ["## Next Action\n# Other\n- No", undefined],
  ["## Next Action\n### Soon\n- A", "A"],
  ["## Next Action\n```\n## Todo\n- <!-- x -->\n```\n", "## Todo - <!-- x -->"],
  ["```\n## Next Action\n- no\n```\n", undefined],
  ["```\n## Next Action\n- a fence without end is none\n", "a fence without end is none"],
  ["<!-- a comment without end\n## Next Action\n- A\n", "A"],
  ["<!--->\n## Next Action\n- A\n<!-- -->", undefined],
  ["## Next Action\n- [ ] A", "A"],
  ["## Next Action\n- [X] A\n- [ ] \n", undefined],
  ["# Nothing", undefined],
  ["## Next Action\nA\n## Todo\n- [ ] B\n## Next Action\nC", "A"],
  ["## Next Action\n```\none\n\ntwo\n```\n- B", "one two"],
  ["", undefined],
])("the next action of %j is %j", (text, action) => {
  expect(nextActionOf(text)).toBe(action);
});

test("sections that stand twice are read in one, and told by line", () => {
  const state = parseActiveState("## Todo\n- [ ] A\n## Next Action\n## Todo\n- [ ] B\n");
  expect(state.todos.map(({ text }) => text)).toEqual(["A", "B"]);
  expect(state.problems).toEqual([
    { line: 4, message: '"## Todo" already stands in line 1; both are read as one' },
  ]);
});

test("front matter that is broken is a problem with its line, and none is fine", () => {
  const broken = readFrontMatter("---\ngoal_id: a\nb: [\n---\n## Next Action\n- A\n");
  expect(broken).toMatchObject({ goalId: undefined, problems: [{ line: 3 }] });
  expect(nextActionOf("---\ngoal_id: a\nb: [\n---\n## Next Action\n- A\n")).toBe("A");
  const none = { goalId: undefined, updatedAt: undefined, problems: [] };
  for (const text of ["", "## Next Action", "---\ngoal_id: a\n", "---\n- list\n---\n"])
    expect(readFrontMatter(text)).toEqual(none);
  const bomb = `---\na: &a [x,x]\n${["b", "c", "d", "e", "f"].map((name, index) => `${name}: &${name} [${`*${"abcde"[index]},`.repeat(50)}]`).join("\n")}\n---\n`;
  expect(readFrontMatter(bomb).problems).toHaveLength(1);
});

test.each([
  ["comments", "<!-- ".repeat(200_000)],
  ["fences", "```\n~~~~\n".repeat(100_000)],
  ["bullets", `## Next Action\n- a\n${"  b\n".repeat(200_000)}`],
  ["spaces", `## Todo\n- [ ] ${" ".repeat(500_000)}x\n##${" ".repeat(500_000)}x`],
  ["lines of one todo", `## Todo\n- [ ] a\n${"  b\n".repeat(200_000)}`],
  ["a heading of spaces", `## a${" ".repeat(500_000)}b`],
  ["closed comments", `## Todo\n${"<!-- a=b -->".repeat(50_000)}`],
  ["hashes", `## a${" #".repeat(250_000)}`],
  ["rules", `## Next Action\n${"- ".repeat(250_000)}x`],
])("a huge text of %s is read in a moment", (_name, text) => {
  const started = performance.now();
  parseActiveState(text);
  expect(performance.now() - started).toBeLessThan(10_000);
});
