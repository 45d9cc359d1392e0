import { afterEach, expect, test, vi } from "vitest";
import { until } from "../crash/harness/wait.ts";
import { verified } from "./harness/loop.ts";
import { createScratch, type Scratch } from "./harness/scratch.ts";
import { CLAIM, DONE, report } from "./harness/steps.ts";

vi.setConfig({ testTimeout: 180_000 });

let scratch: Scratch | undefined;
afterEach(async () => {
  await scratch?.close();
  scratch = undefined;
});

const ASKS = report({
  questions: [
    { id: "q1", text: "Which mailer?", options: ["the old one", "the new one"], blocking: true },
  ],
});

test("a loop waits for the answer to a question that blocks, shows it, and goes on with it", async () => {
  const loop = (scratch = await createScratch({
    plan: { iterations: { 1: [ASKS], 2: [DONE, report(), CLAIM] } },
  }));
  const run = loop.start(["run"]);
  await until("the question to show", () => run.stdout().includes("Which mailer?"));
  const { stdout: shown } = await loop.call(["status"]);
  expect(shown).toContain("waiting_you");
  expect(shown).toContain("the old one | the new one");
  expect(shown).toContain('answer q1 "…"');
  expect(await loop.call(["answer", "q2", "x"])).toMatchObject({ code: 4 });
  expect(await loop.call(["answer", "q1"])).toMatchObject({ code: 2 });
  expect(loop.witnessed()).toHaveLength(1);
  expect(await loop.call(["answer", "q1", "the", "new", "one"])).toMatchObject({ code: 0 });
  expect(await run.exited).toBe(0);
  expect(loop.witnessed()).toHaveLength(2);
  await verified(loop);
});
