import { expect, it } from "vitest";
import { parseTable } from "./darwin.ts";

it("reads the columns of ps, leaving out the dead", () => {
  const text = [
    "    1     0     1 Ss   Mon Nov 30 13:12:01 2026 /sbin/launchd",
    '  512   511   500 S+   Tue Dec  1 03:02:01 2026 node agent.mjs --name "a b"',
    "  513   512   500 Z+   Tue Dec  1 03:02:02 2026 (node)",
    "",
  ].join("\n");
  expect(parseTable(text)).toEqual([
    expect.objectContaining({ pid: 1, parent: 0, group: 1, command: "/sbin/launchd" }),
    {
      pid: 512,
      parent: 511,
      group: 500,
      session: 500,
      state: "S",
      start_time: String(Date.UTC(2026, 11, 1, 3, 2, 1) / 1000),
      command: 'node agent.mjs --name "a b"',
    },
  ]);
});
