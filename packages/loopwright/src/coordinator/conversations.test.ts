import type { RecordData, Usage } from "@loopwright/protocol";
import { expect, test } from "vitest";
import { createConversations } from "./conversations.ts";

const usage = (tokens: number): Usage => ({
  input_tokens: tokens,
  cached_input_tokens: null,
  output_tokens: 1,
  reasoning_tokens: null,
  model: null,
  basis: "invocation",
});

type Finished = RecordData<"task_finished">;
const finished = (changes: Partial<Finished>): Finished =>
  ({
    workflow_id: "inner",
    agent: "coder",
    agent_session_id: "t1",
    outcome: "ok",
    usage: usage(10),
    cost_usd: 0.5,
    ...changes,
  }) as Finished;

function after(...runs: Partial<Finished>[]) {
  const conversations = createConversations();
  for (const run of runs) conversations.apply(finished(run));
  return conversations.of("inner", "coder");
}

test("a workflow goes on with its own last session, and knows what that has used", () => {
  expect(after()).toBeUndefined();
  expect(after({})).toMatchObject({ id: "t1", usage: { input_tokens: 10 }, costUsd: 0.5 });
  expect(after({}, { usage: usage(5), cost_usd: 0.25 })).toMatchObject({
    usage: { input_tokens: 15, output_tokens: 2 },
    costUsd: 0.75,
  });
  expect(after({ workflow_id: "outer" })).toBeUndefined();
  expect(after({ agent: "other" })).toBeUndefined();
});

test("another session begins to count anew, and what is unknown stays unknown", () => {
  expect(after({}, { agent_session_id: "t2", usage: usage(3) })).toMatchObject({
    id: "t2",
    usage: { input_tokens: 3 },
  });
  expect(after({}, { usage: null, cost_usd: null }, {})).toMatchObject({
    usage: null,
    costUsd: null,
  });
});

test("a session that failed for a reason of its own is dropped, and one that the provider kept waiting isn't", () => {
  const failed = { outcome: "failed", agent_session_id: null } as const;
  expect(after({}, { ...failed, cause: "context_overflow" })).toBeUndefined();
  expect(after({}, { ...failed, cause: "unknown" })).toBeUndefined();
  expect(after({}, { ...failed, cause: "rate_limited" })).toMatchObject({ id: "t1" });
  expect(after({}, { outcome: "timed_out" })).toMatchObject({ id: "t1" });
});
