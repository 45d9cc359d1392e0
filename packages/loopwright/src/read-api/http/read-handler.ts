import type { IncomingMessage, ServerResponse } from "node:http";
import { LoopwrightError } from "@loopwright/protocol";
import { streamEvents } from "../events/event-stream.ts";
import { metricsOf } from "../metrics.ts";
import type { ReadModel } from "../model.ts";
import { openApi } from "../openapi.ts";
import { queryOf } from "../query.ts";
import { matchRoute } from "../routes.ts";
import { refuseOtherMethod } from "./safety.ts";
import { sendDocument, sendText } from "./send.ts";

const READS = ["GET", "HEAD"];

/** Answers one request to read; who may ask has been settled. Throws ROUTE_NOT_FOUND, METHOD_NOT_ALLOWED and what views throw. */
export async function answerRead(
  model: ReadModel,
  path: string,
  caller: { readonly kind: string; readonly canWrite: boolean },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const query = queryOf(request.url ?? "");
  const special = SPECIAL[path];
  const found = special === undefined ? matchRoute(path) : undefined;
  if (special === undefined && found === undefined)
    throw new LoopwrightError("ROUTE_NOT_FOUND", "There is nothing at this path");
  refuseOtherMethod(request, READS);
  await model.refresh();
  if (path === "/events") return streamEvents(model, request, response, query);
  if (path === "/metrics")
    return sendText(request, response, metricsOf(model), "text/plain; version=0.0.4");
  if (path === "/openapi.json") return sendDocument(request, response, openApi(model.version));
  if (path === "/me") {
    const { kind, canWrite } = caller;
    const me = { schema_version: 1, token: kind, can_write: canWrite, version: model.version };
    return sendDocument(request, response, me);
  }
  if (found === undefined) return;
  sendDocument(request, response, await found.route.answer(model, found.parameters, query));
}

const SPECIAL: Readonly<Record<string, true>> = {
  "/events": true,
  "/metrics": true,
  "/openapi.json": true,
  "/me": true,
};

export function answerHealth(
  version: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  refuseOtherMethod(request, READS);
  sendDocument(request, response, { ok: true, version });
}
