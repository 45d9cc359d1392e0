import { LoopwrightError } from "@loopwright/protocol";
import type { ReadModel } from "./model.ts";

/** One route of the read API: what both a coordinator and the status server answer to a GET, whatever serves it. */
export interface ReadRoute {
  /** `/sessions/:id`; a parameter is one segment, decoded. */
  readonly path: string;
  /** The JSON of the answer. Throws for what isn't there. */
  answer(model: ReadModel, parameters: readonly string[]): object;
}

export const READ_ROUTES: readonly ReadRoute[] = [
  { path: "/status", answer: (model) => model.status() },
  {
    path: "/sessions/:id",
    answer(model, [id = ""]) {
      const view = model.session(id);
      if (view !== undefined) return view;
      throw new LoopwrightError("SESSION_NOT_FOUND", "There is no such session here");
    },
  },
];

/** The route of a path and its parameters; undefined where nothing is served. */
export function matchRoute(path: string): { route: ReadRoute; parameters: string[] } | undefined {
  for (const route of READ_ROUTES) {
    const parameters = parametersOf(route.path.split("/"), path.split("/"));
    if (parameters !== undefined) return { route, parameters };
  }
  return undefined;
}

function parametersOf(pattern: readonly string[], path: readonly string[]): string[] | undefined {
  if (pattern.length !== path.length) return undefined;
  const parameters: string[] = [];
  for (const [index, part] of pattern.entries()) {
    const found = path[index] ?? "";
    if (part.startsWith(":")) parameters.push(decode(found));
    else if (part !== found) return undefined;
  }
  return parameters;
}

/** What can't be decoded names nothing. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return "";
  }
}
