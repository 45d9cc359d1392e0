import { parametersOf } from "./path.ts";
import type { Query } from "./query.ts";
import type { ReadModel } from "./model.ts";
import { GOAL_ROUTES } from "./routes/goal-routes.ts";
import { ITERATION_ROUTES } from "./routes/iteration-routes.ts";
import { SESSION_ROUTES } from "./routes/session-routes.ts";

/** One route of the read API: what both a coordinator and the status server answer to a GET, whatever serves it. */
export interface ReadRoute {
  /** `/sessions/:id`; a parameter is one segment, decoded. */
  readonly path: string;
  /** One sentence for `/openapi.json`. */
  readonly summary: string;
  /** Names behind `?` with what they mean. */
  readonly query?: Readonly<Record<string, string>>;
  /** The JSON of the answer. Throws for what isn't there. */
  answer(model: ReadModel, parameters: readonly string[], query: Query): object | Promise<object>;
}

export const READ_ROUTES: readonly ReadRoute[] = [
  ...GOAL_ROUTES,
  ...SESSION_ROUTES,
  ...ITERATION_ROUTES,
];

/** The route of a path and its parameters; undefined where nothing is served. */
export function matchRoute(path: string): { route: ReadRoute; parameters: string[] } | undefined {
  const parts = path.split("/");
  for (const route of READ_ROUTES) {
    const parameters = parametersOf(route.path.split("/"), parts);
    if (parameters !== undefined) return { route, parameters };
  }
  return undefined;
}
