import { answerRead } from "../../read-api/http/read-handler.ts";
import type { Assembly } from "../assemble.ts";
import type { Route } from "./router.ts";
import { wholeModelOf } from "./whole-model.ts";

const PEOPLE = { kind: "people", canWrite: true };

/** Everything that people and programs read of this coordinator. */
export function readRoutes(assembly: Assembly, version: string): Route {
  const model = wholeModelOf(assembly, version);
  return (request, response) => {
    const path = (request.url ?? "/").split("?")[0] ?? "/";
    return answerRead(model, path, PEOPLE, request, response);
  };
}
