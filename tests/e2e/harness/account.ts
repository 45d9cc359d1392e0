import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { RecordData, RecordType } from "@loopwright/protocol";
import { expect } from "vitest";
import { readJournal } from "../../crash/harness/journal.ts";
import { until } from "../../crash/harness/wait.ts";
import type { Called, Scratch } from "./scratch.ts";

const COMMANDS = fileURLToPath(new URL("../fixtures/commands.ts", import.meta.url));
const execute = promisify(execFile);

export interface Account {
  readonly status: Called;
  readonly show: Called;
  readonly verify: Called;
  /** What `status --json` says of the goal. */
  readonly goal: Readonly<Record<string, unknown>>;
}

const STACK = /\n\s+at .+:\d+:\d+|UNEXPECTED|\[object Object\]/;

/**
 * What status, show and verify say afterwards. Each has to answer in sentences whatever was done to the files, and
 * nothing of the room may still run.
 */
export async function accountOf(scratch: Scratch): Promise<Account> {
  await until("the room to be empty", () => scratch.processes().length === 0);
  const called = await callAll(scratch, [["status", "--json"], ["show", "latest"], ["verify"]]);
  const [status, show, verify] = called as [Called, Called, Called];
  for (const { stdout, stderr } of called) expect(stdout + stderr).not.toMatch(STACK);
  expect(status.code).toBe(0);
  const goal = (JSON.parse(status.stdout) as { goals: Record<string, unknown>[] }).goals[0];
  return { status, show, verify, goal: goal ?? {} };
}

/** Nobody's word made it a met goal, the journal is as the format says, and every decision in it can be made again. */
export async function expectRefused(scratch: Scratch): Promise<Account> {
  const account = await accountOf(scratch);
  const { goal, verify } = account;
  expect(goal["status"]).not.toBe("goal_met");
  expect(journalOf(scratch).faults).toEqual([]);
  expect(records(scratch, "session_stopped").map(({ status }) => status)).not.toContain("goal_met");
  expect(verify.stdout).not.toMatch(/^journal: /m);
  return account;
}

export function journalOf(scratch: Scratch): ReturnType<typeof readJournal> {
  return readJournal(scratch.session().journal);
}

/** The data of all records of a type that are in force in the newest session; none before the first. */
export function records<T extends RecordType>(scratch: Scratch, type: T): RecordData<T>[] {
  if (scratch.sessions().length === 0) return [];
  return journalOf(scratch)
    .lines.flatMap((line) => line.records)
    .filter((record) => record.type === type)
    .map(({ data }) => data as unknown as RecordData<T>);
}

/** Several commands in one process. */
export async function callAll(
  scratch: Scratch,
  commands: readonly (readonly string[])[],
): Promise<Called[]> {
  const words = ["--conditions=loopwright-source", COMMANDS, JSON.stringify(commands)];
  const { stdout } = await execute(process.execPath, words, {
    cwd: existsSync(scratch.repository) ? scratch.repository : scratch.directory,
    env: scratch.environment,
    maxBuffer: 1 << 26,
  });
  return stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Called);
}
