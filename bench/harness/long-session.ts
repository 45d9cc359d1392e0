import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { foldLine, type Occurrence, react } from "@loopwright/engine";
import { attemptOf, factsOf, finishedOf } from "@loopwright/engine/testing";
import { readSession } from "../../packages/loopwright/src/control-plane/session/read-session.ts";
import { encodeLine } from "../../packages/loopwright/src/store/journal-line.ts";
import type { Room } from "./room.ts";
import { STOPPED } from "./room.ts";

const WRITE_AT = 4 * 1024 * 1024;

/**
 * A session that did this many iterations, all but the first in memory: its journal is what the engine decides, in one
 * stroke on the disk. It is left as a crash would between two tasks; `run` goes on for `remaining` iterations.
 */
export async function makeLongSession(
  room: Room,
  { iterations, remaining }: { readonly iterations: number; readonly remaining: number },
): Promise<void> {
  await room.call(["run", "--max-iterations", "1"], [STOPPED]);
  const directory = room.session();
  const { state: loaded, lines } = readSession(directory);
  let state = loaded;
  let prev = lines.at(-1)?.sum ?? "";
  let buffers: Buffer[] = [];
  let waiting = 0;
  const file = openSync(join(directory, "journal.jsonl"), "a");

  const flush = (): void => {
    writeSync(file, Buffer.concat(buffers));
    buffers = [];
    waiting = 0;
  };
  const feed = (occurrence: Occurrence): void => {
    const records = react(state, occurrence);
    if (records.length === 0) throw new Error(`nothing follows from "${occurrence.kind}"`);
    const unsealed = {
      seq: state.seq + 1,
      at: new Date().toISOString(),
      epoch: state.epoch,
      records,
    };
    const bytes = encodeLine({ ...unsealed, prev });
    prev = bytes.toString("latin1", bytes.length - 19, bytes.length - 3);
    buffers.push(bytes);
    waiting += bytes.length;
    if (waiting > WRITE_AT) flush();
    state = foldLine(state, unsealed);
  };
  const next = () => ({
    attempt_id: attemptOf(state.iterations + 1),
    facts: factsOf({ now: new Date().toISOString() }),
  });

  const raise = [{ limit: "max_iterations", to: iterations + remaining } as const];
  feed({ kind: "resume", by: "bench", raise, reopen: true });
  feed({ kind: "next", next: next() });
  while (state.iterations < iterations) {
    const { task } = state;
    if (task?.kind !== "workflow") throw new Error(`no iteration follows: ${state.status}`);
    mkdirSync(join(directory, "iterations", `${String(task.iteration).padStart(4, "0")}_work`), {
      recursive: true,
    });
    const finished = finishedOf(task, { live_ms: 10, duration_ms: 10 });
    const last = state.iterations + 1 === iterations;
    feed(last ? { kind: "finished", finished } : { kind: "finished", finished, next: next() });
  }
  flush();
  closeSync(file);
}
