import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import type { Account, RecordData, SessionFile } from "@loopwright/protocol";
import { afterEach, beforeEach, expect, it } from "vitest";
import { runtimeLayout } from "../store/layout.ts";
import { type Accounts, createAccounts } from "./accounts.ts";
import { createRoom, type Room } from "./testing/room.ts";

const NOW = Date.parse("2026-01-01T00:00:00.000Z");
const UNTIL = NOW + 3_600_000;
const account: Account = { provider: "openai", account: "login", family: "gpt" };
const file = {
  configuration: { agents: { coder: { adapter: "command" }, other: { adapter: "command" } } },
} as unknown as SessionFile;
const finished = (agent = "coder") =>
  ({
    agent,
    attempt_id: "a1",
    outcome: "failed",
    cause: "rate_limited",
  }) as unknown as RecordData<"task_finished">;

let room: Room;
beforeEach(() => {
  room = createRoom();
});
afterEach(() => room.close());

/** What one session of the machine knows. */
function session(sessionId: string): Accounts {
  return createAccounts(room.seams, runtimeLayout(room.root), {
    sessionId,
    accountOf: () => account,
    onProblem(error) {
      throw error;
    },
  });
}

const until = (accounts: Accounts, now: number): number | undefined =>
  accounts.until("coder", file, now);

it("holds every session of the machine when one finds an account closed, until it is open again", async () => {
  const [first, second] = [session("s1"), session("s2")];
  expect(until(second, NOW)).toBeUndefined();
  first.tell(finished(), UNTIL, file);
  await expect.poll(() => until(second, NOW)).toBe(UNTIL);
  expect(until(first, NOW)).toBe(UNTIL);
  second.tell(finished(), undefined, file);
  await expect.poll(() => until(first, NOW)).toBeUndefined();
});

it("lets one session try first when a hold is over, and the others after it has gone on for a while", async () => {
  const [first, second] = [session("s1"), session("s2")];
  first.tell(finished(), UNTIL, file);
  await expect.poll(() => until(second, NOW)).toBe(UNTIL);
  const after = UNTIL + 1;
  expect(until(second, after)).toBeUndefined();
  expect(until(second, after)).toBeUndefined();
  expect(until(first, after)).toBe(after + 60_000);
  expect(until(first, after + 60_000)).toBeUndefined();
  // It met the limit again: the next hold has a probe of its own.
  second.tell(finished(), UNTIL + 3_600_000, file);
  await expect.poll(() => until(first, after)).toBe(UNTIL + 3_600_000);
  expect(until(first, UNTIL + 3_600_001)).toBeUndefined();
  expect(until(second, UNTIL + 3_600_001)).toBe(UNTIL + 3_660_001);
});

it("goes on with what each session met itself where the shared file is nonsense, and replaces it", async () => {
  const { accounts } = runtimeLayout(room.root);
  mkdirSync(accounts, { recursive: true });
  writeFileSync(runtimeLayout(room.root).account("openai", "login"), "nonsense");
  const one = session("s1");
  expect(until(one, NOW)).toBeUndefined();
  one.tell(finished(), UNTIL, file);
  await expect.poll(() => until(one, NOW)).toBe(UNTIL);
  expect(readdirSync(accounts).filter((name) => name.endsWith(".json"))).toEqual([
    "openai-login.json",
  ]);
});
