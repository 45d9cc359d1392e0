import type { IncomingMessage, ServerResponse } from "node:http";
import { LoopwrightError } from "@loopwright/protocol";
import type { Assembly } from "../assemble.ts";
import type { Tokens } from "../tokens.ts";
import type { IdempotencyKeys } from "./idempotency-keys.ts";
import { sendJson } from "./problem.ts";
import { createReader } from "./reader.ts";
import { refuseOtherContent, refuseStranger } from "./safety.ts";
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
  const read = createReader(assembly);
  return async (request, response) => {
    const path = (request.url ?? "/").split("?")[0] ?? "/";
    if (path === "/healthz") {
      refuseOtherMethod(request, ["GET", "HEAD"]);
      return sendJson(response, { ok: true, version });
    }
    if (path === "/register" || path === "/finished") {
      refuseStranger(request, tokens, "worker");
      refuseOtherMethod(request, ["POST"]);
      refuseOtherContent(request);
      const route = path === "/register" ? registerRoute : finishedRoute;
      return route(assembly, version, request, response);
    }
    refuseStranger(request, tokens, "people");
    const write = writeOf(path);
    if (write === undefined) return read(request, response);
    if (write.goalId !== assembly.file.goal_id) {
      throw new LoopwrightError("GOAL_NOT_FOUND", "This coordinator works at another goal");
    }
    refuseOtherMethod(request, ["POST"]);
    refuseOtherContent(request);
    return writeRoute(assembly, keys, write.name, request, response);
  };
}

function writeOf(path: string): { goalId: string; name: WriteName } | undefined {
  const match = /^\/goals\/([^/]+)\/([a-z]+)$/.exec(path);
  const name = WRITES.find((each) => each === match?.[2]);
  return match?.[1] === undefined || name === undefined ? undefined : { goalId: match[1], name };
}

/** The hint of a 405 is its Allow header. */
function refuseOtherMethod(request: IncomingMessage, allowed: readonly string[]): void {
  if (allowed.includes(request.method ?? "")) return;
  throw new LoopwrightError("METHOD_NOT_ALLOWED", `${request.method ?? "?"} is not allowed here`, {
    hint: allowed.join(", "),
  });
}
