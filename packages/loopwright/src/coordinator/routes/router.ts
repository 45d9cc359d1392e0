import type { IncomingMessage, ServerResponse } from "node:http";
import { LoopwrightError } from "@loopwright/protocol";
import type { ReadModel } from "../../read-api/model.ts";
import { matchRoute } from "../../read-api/routes.ts";
import type { Assembly } from "../assemble.ts";
import { refuseStranger, type Tokens } from "../tokens.ts";
import type { IdempotencyKeys } from "../../read-api/http/idempotency-keys.ts";
import { readModelOf } from "../read-model.ts";
import { sendJson } from "../../read-api/http/problem.ts";
import { refuseOtherContent, refuseOtherMethod } from "../../read-api/http/safety.ts";
import { finishedRoute, registerRoute } from "./worker-routes.ts";
import { WRITES, type WriteName, writeRoute } from "./write-routes.ts";

export interface RouterParts {
  readonly assembly: Assembly;
  readonly tokens: Tokens;
  readonly version: string;
  readonly keys: IdempotencyKeys;
}

export type Route = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The worker's two endpoints, people's writes, and for all the rest the read API. */
export function createRouter({ assembly, tokens, version, keys }: RouterParts): Route {
  const model = readModelOf(assembly);
  return async (request, response) => {
    const path = (request.url ?? "/").split("?")[0] ?? "/";
    if (path === "/healthz") {
      refuseOtherMethod(request, ["GET", "HEAD"]);
      return sendJson(response, { ok: true, version });
    }
    if (path === "/register" || path === "/finished") {
      refuseStranger(request.headers.authorization, tokens, "worker");
      refuseOtherMethod(request, ["POST"]);
      refuseOtherContent(request);
      const route = path === "/register" ? registerRoute : finishedRoute;
      return route(assembly, version, request, response);
    }
    refuseStranger(request.headers.authorization, tokens, "people");
    const write = writeOf(path);
    if (write === undefined) return read(model, path, request, response);
    if (write.goalId !== assembly.file.goal_id) {
      throw new LoopwrightError("GOAL_NOT_FOUND", "This coordinator works at another goal");
    }
    refuseOtherMethod(request, ["POST"]);
    refuseOtherContent(request);
    return writeRoute(assembly, keys, write.name, request, response);
  };
}

function read(
  model: ReadModel,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const found = matchRoute(path);
  if (found === undefined)
    throw new LoopwrightError("ROUTE_NOT_FOUND", "There is nothing at this path");
  refuseOtherMethod(request, ["GET", "HEAD"]);
  sendJson(response, found.route.answer(model, found.parameters));
}

function writeOf(path: string): { goalId: string; name: WriteName } | undefined {
  const match = /^\/goals\/([^/]+)\/([a-z]+)$/.exec(path);
  const name = WRITES.find((each) => each === match?.[2]);
  return match?.[1] === undefined || name === undefined ? undefined : { goalId: match[1], name };
}
