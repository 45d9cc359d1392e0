import { spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { systemDisk } from "./disk.ts";
import type { JournalLine } from "./journal-line.ts";
import { readJournal } from "./journal-reader.ts";
import { openJournal } from "./journal.ts";
import { takeLock } from "./lock.ts";
import type { Fault } from "./testing/faulty-disk.ts";
import { temporaryDirectory } from "./testing/temporary-directory.ts";
import { AT, linesOf, writtenJournal } from "./testing/written-journal.ts";

const program = join(import.meta.dirname, "testing", "store-process.ts");

/** Runs the program to its end; `said` are the lines that it printed. */
async function run(...args: string[]): Promise<{ signal: string | null; said: string[] }> {
  const child = spawn(process.execPath, ["--conditions=loopwright-source", program, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => {
    text += part;
  });
  const signal = await new Promise<string | null>((resolve) => {
    child.once("close", (_, by) => resolve(by));
  });
  return { signal, said: text.split("\n").filter((line) => /^\d/.test(line)) };
}

const WRITERS = Array.from({ length: 8 }, (_, writer) => String(writer));

test("8 processes that replace one file 50 times each never meet, and readers see whole files", async () => {
  const path = join(temporaryDirectory(), "state.json");
  writeFileSync(path, '{"writer":"none"}');
  const writers = Promise.all(WRITERS.map((writer) => run("write", path, writer, "50")));
  const ended = new AbortController();
  void writers.finally(() => {
    ended.abort();
  });
  const seen = new Set<string>();
  while (!ended.signal.aborted) {
    const { writer } = JSON.parse(readFileSync(path, "utf8")) as { writer: string };
    seen.add(writer);
    await new Promise(setImmediate);
  }
  expect((await writers).flatMap(({ said }) => said)).toHaveLength(400);
  expect(seen.size).toBeGreaterThan(1);
  expect(readdirSync(dirname(path))).toEqual(["state.json"]);
}, 120_000);

test("8 processes that append 50 lines each under the lock lose none and write none twice", async () => {
  const path = writtenJournal(linesOf(1, 1));
  await Promise.all(WRITERS.map((writer) => run("append", dirname(path), writer, "50")));
  const { lines, ignored } = readJournal(path);
  const found = lines.slice(1).flatMap(({ records }) => records.map(({ data }) => data));
  expect(ignored).toEqual([]);
  expect(new Set(found.map((data) => JSON.stringify(data))).size).toBe(400);
  expect(lines.map(({ seq }) => seq)).toEqual(Array.from({ length: 401 }, (_, k) => k + 1));
}, 240_000);

test("a process killed at any operation loses nothing that it was told, and the next one goes on", async () => {
  // The first commit has 15 operations (it makes the lock's directory), each later one 13: killed within the second.
  for (let operation = 16; operation <= 29; operation += 1) {
    const path = writtenJournal(linesOf(1, 1));
    const plan: Fault[] = [{ from: operation, what: { kind: "kill", when: "before" } }];
    const killed = await run("append", dirname(path), "1", "3", JSON.stringify(plan));
    expect(killed.signal).toBe("SIGKILL");
    const told = killed.said.length;
    const inForce = readJournal(path).lines.length - 1;
    expect([told, told + 1]).toContain(inForce);
    expect([told + 1, told + 2]).toContain(seqOf(join(dirname(path), "state.json")));
    expect(appendAfterTakingOver(path).seq).toBe(inForce + 2);
    expect(readJournal(path).lines).toHaveLength(inForce + 2);
  }
}, 120_000);

function seqOf(statePath: string): number {
  return (JSON.parse(readFileSync(statePath, "utf8")) as { seq: number }).seq;
}

/** What the next process does, which finds the killed one dead. */
function appendAfterTakingOver(path: string): JournalLine {
  const self = { host: "here", pid_namespace: "1", boot_id: "b", pid: 1, start_time: "1" };
  const taken = takeLock(systemDisk, join(dirname(path), "locks", "coordinator"), self, {
    liveness: () => "dead",
    at: AT,
    purpose: "goal",
    goalId: "g",
  });
  if (!taken.ok) throw new Error("The lock is held");
  const { journal } = openJournal(systemDisk, path, {
    epoch: taken.lock.epoch,
    fenced: () => taken.lock.lost(),
  });
  const line = journal.append(AT, [{ type: "noted", data: "on" }]);
  journal.close();
  return line;
}
