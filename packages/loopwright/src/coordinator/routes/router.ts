import type { IncomingMessage, ServerResponse } from "node:http";
import { LoopwrightError } from "@loopwright/protocol";
import type { Assembly } from "../assemble.ts";
import { refuseStranger, type Tokens } from "../tokens.ts";
import type { IdempotencyKeys } from "../../read-api/http/idempotency-keys.ts";
import { writePathOf } from "../../read-api/write-path.ts";
import { sendJson } from "../../read-api/http/problem.ts";
import { refuseOtherContent, refuseOtherMethod } from "../../read-api/http/safety.ts";
import { finishedRoute, registerRoute } from "./worker-routes.ts";
import { writeRoute } from "./write-routes.ts";

export interface RouterParts {
  readonly assembly: Assembly;
  readonly tokens: Tokens;
  readonly version: string;
  readonly keys: IdempotencyKeys;
}

export type Route = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The worker's two endpoints, people's writes, and for all the rest the read API. */
export function createRouter({ assembly, tokens, version, keys }: RouterParts): Route {
  let reader: Promise<Route> | undefined;
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
    const write = writePathOf(path);
    if (write === undefined) {
      // A loop that nobody looks at doesn't pay for what only readers need.
      reader ??= import("./read-routes.ts").then(({ readRoutes }) => readRoutes(assembly, version));
      return await (
        await reader
      )(request, response);
    }
    if (write.goalId !== assembly.file.goal_id) {
      throw new LoopwrightError("GOAL_NOT_FOUND", "This coordinator works at another goal");
    }
    refuseOtherMethod(request, ["POST"]);
    refuseOtherContent(request);
    return writeRoute(assembly, keys, write, request, response);
  };
}
