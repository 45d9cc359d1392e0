import type { IncomingMessage, ServerResponse } from "node:http";
import {
  LoopwrightError,
  pauseBody,
  resolveBody,
  resumeBody,
  stopBody,
  updateBody,
} from "@loopwright/protocol";
import { stateFileOf } from "@loopwright/engine";
import { StateMoved } from "../../read-api/http/state-moved.ts";
import type { Assembly } from "../assemble.ts";
import type { Written } from "../writes.ts";
import { parseBody, readBody } from "../../read-api/http/body.ts";
import { type IdempotencyKeys, keyOf } from "../../read-api/http/idempotency-keys.ts";
import { sendJson } from "../../read-api/http/problem.ts";

export const WRITES = ["stop", "pause", "resume", "update", "resolve"] as const;
export type WriteName = (typeof WRITES)[number];

/** `POST /goals/:id/<name>`: answers `{seq}`. The same `Idempotency-Key` gets the same answer and does nothing again. */
export async function writeRoute(
  assembly: Assembly,
  keys: IdempotencyKeys,
  name: WriteName,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(request);
  const key = keyOf(request);
  const written = keys.once(
    `${name} ${key ?? ""}`,
    key === undefined ? undefined : JSON.stringify(body),
    () => WRITERS[name](assembly, body, key),
  );
  // Memory stands where the journal stands; whether we still are the one who may say so is another question.
  if (assembly.ledger.lost())
    throw new LoopwrightError("LOCK_LOST", "Another coordinator took over this session");
  sendJson(response, written);
}

const WRITERS: Record<
  WriteName,
  (assembly: Assembly, body: unknown, key: string | undefined) => Written
> = {
  stop: (assembly, body) => assembly.writes.stop(expected(assembly, parseBody(stopBody, body))),
  pause: (assembly, body) => assembly.writes.pause(expected(assembly, parseBody(pauseBody, body))),
  resume: (assembly, body) =>
    assembly.writes.resume(expected(assembly, parseBody(resumeBody, body))),
  resolve: (assembly, body) =>
    assembly.writes.resolve(expected(assembly, parseBody(resolveBody, body))),
  update: (assembly, body, key) =>
    assembly.writes.update(expected(assembly, parseBody(updateBody, body)), key),
};

function expected<T extends { expected_seq?: number | undefined }>(
  { service }: Assembly,
  body: T,
): T {
  const state = service.state();
  if (body.expected_seq === undefined || body.expected_seq === state.seq) return body;
  throw new StateMoved(stateFileOf(state), body.expected_seq);
}
