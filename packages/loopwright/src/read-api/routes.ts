import { ERROR_TABLE, type ErrorCode } from "@loopwright/protocol";
import { type Context, Hono } from "hono";
import type { ReadModel } from "./model.ts";

/** The routes that a coordinator and the status server both serve. Tokens, Host and Origin are looked at before. */
export function createReadApi(model: ReadModel): Hono {
  const api = new Hono();
  const get = (path: string, handler: (context: Context) => Response): void => {
    api.get(path, handler);
    api.all(path, (context) => {
      const response = problem(
        context,
        "METHOD_NOT_ALLOWED",
        `${context.req.method} is not allowed here`,
      );
      response.headers.set("allow", "GET, HEAD");
      return response;
    });
  };
  get("/status", (context) => json(context, model.status()));
  get("/sessions/:id", (context) => {
    const view = model.session(context.req.param("id") ?? "");
    return view === undefined
      ? problem(context, "SESSION_NOT_FOUND", "There is no such session here")
      : json(context, view);
  });
  api.notFound((context) =>
    problem(context, "ROUTE_NOT_FOUND", `There is nothing at ${context.req.path.slice(0, 200)}`),
  );
  api.onError((error, context) =>
    problem(context, "UNEXPECTED", `Something unexpected went wrong: ${error.message}`),
  );
  return api;
}

const SAFE = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'self'",
};

function json(context: Context, body: object): Response {
  return context.body(JSON.stringify(body), 200, { ...SAFE, "content-type": "application/json" });
}

function problem(context: Context, code: ErrorCode, detail: string): Response {
  const { status } = ERROR_TABLE[code];
  const body = {
    type: `urn:loopwright:error:${code}`,
    title: code.toLowerCase().replaceAll("_", " "),
    status,
    code,
    detail,
  };
  return context.body(JSON.stringify(body), status, {
    ...SAFE,
    "content-type": "application/problem+json",
  });
}
