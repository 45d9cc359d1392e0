import type { IncomingMessage, ServerResponse } from "node:http";
import {
  finishedIteration,
  finishedVerification,
  type FinishedRequest,
  LoopwrightError,
  registerRequest,
} from "@loopwright/protocol";
import type { Assembly } from "../assemble.ts";
import { finished } from "../finished.ts";
import { register } from "../register.ts";
import { parseBody, readBody, refuseOtherProtocol } from "../../read-api/http/body.ts";
import { connectionOf } from "./worker-connection.ts";

export async function registerRoute(
  assembly: Assembly,
  version: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(request);
  refuseOtherProtocol(body, version);
  const parsed = parseBody(registerRequest, body);
  await register(assembly, parsed, connectionOf(response, parsed.worker));
}

export async function finishedRoute(
  assembly: Assembly,
  version: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(request);
  refuseOtherProtocol(body, version);
  const parsed = parseFinished(body);
  finished(assembly, parsed, connectionOf(response, parsed.worker));
}

/** A verification's report carries `receipt` in place of the agent's fields; told apart first, for errors that help. */
function parseFinished(body: unknown): FinishedRequest {
  if (typeof body !== "object" || body === null)
    throw new LoopwrightError("BODY_INVALID", "The body has to be an object");
  return "receipt" in body
    ? parseBody(finishedVerification, body)
    : parseBody(finishedIteration, body);
}
