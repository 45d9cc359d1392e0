import type { Row } from "./row.ts";

export const ROWS_OF_THE_DESIGN: readonly Row[] = [
  ["[P1] Agent: Fix bug", "fix   BUG", "aligned"],
  ["todo_ab12: P2: Fix it", "fix it", "aligned"],
  ["Write tests", "Write tests for parser", "aligned"],
  ["Deploy", "Deploy!", "aligned"],
  [
    "Refactor the storage layer to use sqlite",
    "Refactor the storage layer to use postgres",
    "different_target",
  ],
  ["Add docs: explain setup", "Add docs: explain teardown", "different_target"],
  ["Do not deploy to production today please", "deploy to production today please", "negated"],
  ["Fix login", "Benchmark the importer", "unrelated"],
];
