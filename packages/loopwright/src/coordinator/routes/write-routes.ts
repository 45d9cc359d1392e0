import type { IncomingMessage, ServerResponse } from "node:http";
import {
  LoopwrightError,
  WRITE_BODIES,
  type WriteBody,
  type WriteName,
} from "@loopwright/protocol";
import type { z } from "zod";
import { stateFileOf } from "@loopwright/engine";
import { StateMoved } from "../../read-api/http/state-moved.ts";
import type { Assembly } from "../assemble.ts";
import { parseBody, readBody } from "../../read-api/http/body.ts";
import { type IdempotencyKeys, keyOf } from "../../read-api/http/idempotency-keys.ts";
import { withInput, type WritePath } from "../../read-api/write-path.ts";
import { sendJson } from "../../read-api/http/problem.ts";

/** A person's write: answers `{seq}`. The same `Idempotency-Key` gets the same answer and does nothing again. */
export async function writeRoute(
  assembly: Assembly,
  keys: IdempotencyKeys,
  { name, input }: Pick<WritePath, "name" | "input">,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = withInput(await readBody(request), input);
  const key = keyOf(request);
  const answer = keys.once(
    `${name} ${key ?? ""}`,
    key === undefined ? undefined : JSON.stringify(body),
    () => written(assembly, name, body, key),
  );
  // Memory stands where the journal stands; whether we still are the one who may say so is another question.
  if (assembly.ledger.lost())
    throw new LoopwrightError("LOCK_LOST", "Another coordinator took over this session");
  sendJson(response, answer);
}

/** Each body is checked by the schema of its own name. */
function written(assembly: Assembly, name: WriteName, body: unknown, key: string | undefined) {
  const { writes } = assembly;
  const read = <N extends WriteName>(of: N) =>
    expected(assembly, parseBody(WRITE_BODIES[of] as z.ZodType as z.ZodType<WriteBody<N>>, body));
  switch (name) {
    case "update":
      return writes.update(read(name), key);
    case "stop":
      return writes.stop(read(name));
    case "pause":
      return writes.pause(read(name));
    case "resume":
      return writes.resume(read(name));
    case "answer":
      return writes.answer(read(name));
    case "withdraw":
      return writes.withdraw(read(name));
    case "resolve":
      return writes.resolve(read(name));
  }
}

function expected<T extends { expected_seq?: number | undefined }>(
  { service }: Assembly,
  body: T,
): T {
  const state = service.state();
  if (body.expected_seq === undefined || body.expected_seq === state.seq) return body;
  throw new StateMoved(stateFileOf(state), body.expected_seq);
}
