import type { AttentionItem } from "@loopwright/protocol";
import { expect, test } from "vitest";
import { withActions } from "./actions.ts";

const item = (changes: Partial<AttentionItem>): AttentionItem => ({
  id: "g/k",
  goal_id: "g",
  waiting_on: "you",
  severity: "high",
  kind: "k",
  since: "2026-01-01T00:00:00.000Z",
  text: "",
  blocks: true,
  next_command: null,
  ...changes,
});

const rows = (changes: Partial<AttentionItem>): (string | boolean | null)[][] =>
  withActions(item(changes)).actions.map(({ path, body, command, primary }) => [
    path,
    JSON.stringify(body),
    command,
    primary,
  ]);

test.each<[string, Partial<AttentionItem>, ReturnType<typeof rows>]>([
  ["nothing to do offers nothing", {}, []],
  [
    "a limit is raised by what the command says",
    { kind: "max_cost_usd", next_command: "loopwright resume --max-cost-usd +5" },
    [
      [
        "/goals/g/resume",
        '{"raise":[{"limit":"max_cost_usd","add":5}]}',
        "loopwright resume --max-cost-usd +5 --goal g",
        true,
      ],
    ],
  ],
  [
    "a question has its options, the default first of all, and room for another answer",
    { question: { id: "q1", text: "Which?", options: ["a", "b"], default: "b" } },
    [
      [
        "/goals/g/answer",
        '{"question":"q1","text":"a"}',
        'loopwright answer q1 "a" --goal g',
        false,
      ],
      [
        "/goals/g/answer",
        '{"question":"q1","text":"b"}',
        'loopwright answer q1 "b" --goal g',
        true,
      ],
      ["/goals/g/answer", '{"question":"q1"}', 'loopwright answer q1 "…" --goal g', false],
    ],
  ],
  [
    "a mismatch is settled either way",
    { kind: "next_action_projection_mismatch" },
    [
      ["/goals/g/resolve", '{"take":"run"}', "loopwright resolve g --take run", true],
      ["/goals/g/resolve", '{"take":"state"}', "loopwright resolve g --take state", false],
    ],
  ],
  [
    "what is interrupted or paused goes on",
    { next_command: "loopwright run --goal g" },
    [["/goals/g/resume", "{}", "loopwright run --goal g", true]],
  ],
  [
    "what only a person can look at is a command",
    { next_command: "loopwright explain --goal g" },
    [[null, "null", "loopwright explain --goal g", true]],
  ],
  [
    "a new session is never started by a button that says go on",
    { next_command: "loopwright run --new --goal g" },
    [[null, "null", "loopwright run --new --goal g", true]],
  ],
])("%s", (_name, changes, expected) => {
  expect(rows(changes)).toEqual(expected);
});
