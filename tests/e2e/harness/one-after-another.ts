import type { RecordData } from "@loopwright/protocol";
import { expect } from "vitest";
import { type Account, accountOf, records } from "./account.ts";
import type { Scratch, ScratchOptions } from "./scratch.ts";
import { report, type Step } from "./steps.ts";

export interface Attempted {
  readonly room: Scratch;
  readonly account: Account;
  /** The record of the attack's iteration: from 1, in the order of the names. */
  finished(name: string): RecordData<"task_finished"> | undefined;
  iteration(name: string): number;
}

/**
 * Runs each list of steps as one iteration of the same session, which is much faster than a session each. Every
 * iteration also changes the tree, so that no claim is one on an unchanged tree.
 * @param atEnd what each iteration does at its end; default: a report
 */
export async function runOneAfterAnother(
  createRoom: (options: ScratchOptions) => Promise<Scratch>,
  ways: Readonly<Record<string, readonly Step[]>>,
  { atEnd = [report()], ...options }: ScratchOptions & { readonly atEnd?: readonly Step[] } = {},
): Promise<Attempted> {
  const names = Object.keys(ways);
  const plan = {
    iterations: Object.fromEntries(
      names.map((name, index) => [
        String(index + 1),
        [step(index), ...(ways[name] ?? []), ...atEnd],
      ]),
    ),
  };
  const limits = {
    max_iterations: names.length,
    workflow_failure_cap: 1000,
    no_progress_after: null,
    ...options.limits,
  };
  const room = await createRoom({ ...options, plan, limits });
  const ran = await room.call(["run"]);
  expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 10, stderr: "" });
  const account = await accountOf(room);
  const iteration = (name: string): number => names.indexOf(name) + 1;
  return {
    room,
    account,
    iteration,
    finished: (name) =>
      records(room, "task_finished").find((record) => record.iteration === iteration(name)),
  };
}

function step(index: number): Step {
  return { append: "{{checkout}}/steps.txt", text: `${index}\n` };
}
