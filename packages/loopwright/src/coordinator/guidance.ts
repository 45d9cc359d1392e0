import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import type { Occurrence, State } from "@loopwright/engine";
import { type InputFile, LoopwrightError, type WriteBody } from "@loopwright/protocol";
import { timestamp } from "../seams/clock.ts";
import { createDurable } from "../store/durable-write.ts";
import { makeOwnDirectory } from "../store/own-directory.ts";
import type { SessionLayout } from "../store/session-layout.ts";
import type { Seams } from "./seams.ts";

/**
 * Leaves guidance as a file that the next decision takes up, and returns its id.
 * @param key the same key names the same guidance, also after a restart
 */
export function keepGuidance(
  seams: Pick<Seams, "clock" | "disk" | "ids">,
  layout: SessionLayout,
  text: string,
  key: string | undefined,
): string {
  const id = key === undefined ? seams.ids.next() : idOf(key);
  if (existsSync(layout.input(id))) return id;
  const input: InputFile = { schema_version: 1, id, text, at: timestamp(seams.clock) };
  makeOwnDirectory(seams.disk, layout.directory, layout.inputs);
  createDurable(seams.disk, layout.input(id), `${JSON.stringify(input, undefined, 2)}\n`);
  return id;
}

/** Throws QUESTION_NOT_FOUND, also for one that was answered before. */
export function answerOf(state: State, body: WriteBody<"answer">): Occurrence {
  const { question: id, text, by } = body;
  if (state.questions.some((question) => question.id === id))
    return { kind: "answered", answered: { id, text, by } };
  const open = state.questions.map((question) => question.id);
  throw new LoopwrightError("QUESTION_NOT_FOUND", `No question ${id} is open`, {
    hint:
      open.length === 0
        ? "Nothing is asked at the moment; give guidance with: loopwright update"
        : `Open are: ${open.join(", ")}`,
  });
}

/** Throws INPUT_NOT_FOUND, also for guidance that was disposed of. */
export function withdrawalOf(state: State, { input: id }: WriteBody<"withdraw">): Occurrence {
  if (!state.inputs.some((input) => input.id === id))
    throw new LoopwrightError("INPUT_NOT_FOUND", `No guidance ${id} stands`);
  const { iterations: iteration } = state;
  return {
    kind: "noted",
    noted: { type: "input_disposed", data: { id, iteration, disposition: "withdrawn" } },
  };
}

function idOf(key: string): string {
  return `k${createHash("sha256").update(key).digest("hex").slice(0, 24)}`;
}
