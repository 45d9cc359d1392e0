import type { IncomingMessage, ServerResponse } from "node:http";
import type { Assembly } from "../assemble.ts";
import type { Route } from "./router.ts";
import { readModelOf } from "../read-model.ts";

/** The read API over this one session. Loaded with the first reader: a worker alone needs none of it. */
export function createReader(assembly: Assembly): Route {
  let listener:
    | Promise<(request: IncomingMessage, response: ServerResponse) => Promise<void>>
    | undefined;
  const load = async () => {
    const [{ getRequestListener }, { createReadApi }] = await Promise.all([
      import("@hono/node-server"),
      import("../../read-api/routes.ts"),
    ]);
    const api = createReadApi(readModelOf(assembly));
    return getRequestListener(api.fetch, { overrideGlobalObjects: false });
  };
  return async (request, response) => {
    listener ??= load();
    await (
      await listener
    )(request, response);
  };
}
