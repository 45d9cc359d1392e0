import { LoopwrightError } from "@loopwright/protocol";
import type { ReadRoute } from "../routes.ts";
import { diffView } from "../views/diff.ts";
import { changesView, promptView, transcriptView } from "../views/iteration-files.ts";
import { iterationView } from "../views/iteration.ts";
import { logView } from "../views/log.ts";
import { recordOf } from "./session-routes.ts";

const BASE = "/sessions/:id/iterations/:n";
const BYTES = { least: 1, most: 1024 * 1024 };
const ANY = { least: 0, most: Number.MAX_SAFE_INTEGER };
const FILE_NAME_LIMIT = 4096;

export const ITERATION_ROUTES: readonly ReadRoute[] = [
  {
    path: BASE,
    summary: "One iteration in full: why it ran, what came of it, its report, its files.",
    answer: (model, [id, n], query) =>
      iterationView(recordOf(model, id, query).record, numberOf(n)),
  },
  {
    path: `${BASE}/log`,
    summary: "What the agent printed, by bytes; secrets are redacted.",
    query: {
      offset: "bytes",
      limit: "bytes, at most 1 MiB",
      tail: "this many last lines",
      find: "lines that contain this, with their numbers",
    },
    answer: (model, [id, n], query) =>
      logView(recordOf(model, id, query).record, numberOf(n), {
        offset: query.number("offset", 0, ANY),
        limit: query.number("limit", 64 * 1024, BYTES),
        tail: query.optionalNumber("tail"),
        find: query.text("find"),
      }),
  },
  {
    path: `${BASE}/prompt`,
    summary: "The prompt as it was sent; secrets are redacted.",
    answer: (model, [id, n], query) => promptView(recordOf(model, id, query).record, numberOf(n)),
  },
  {
    path: `${BASE}/changes`,
    summary: "git before and after, with the list of files.",
    answer: (model, [id, n], query) => changesView(recordOf(model, id, query).record, numberOf(n)),
  },
  {
    path: `${BASE}/diff`,
    summary: "What the iteration did to one file.",
    query: { file: "path under the checkout" },
    answer(model, [id, n], query) {
      const { record, goal } = recordOf(model, id, query);
      return diffView(record, goal, numberOf(n), fileOf(query.text("file")));
    },
  },
  {
    path: `${BASE}/transcript`,
    summary: "Normalised events of the agent.",
    query: { after: "bytes: the `next` of the page before", limit: "bytes, at most 1 MiB" },
    answer: (model, [id, n], query) =>
      transcriptView(recordOf(model, id, query).record, numberOf(n), {
        after: query.number("after", 0, ANY),
        limit: query.number("limit", 256 * 1024, BYTES),
      }),
  },
];

function numberOf(segment: string | undefined): number {
  if (segment !== undefined && /^[1-9]\d{0,8}$/.test(segment)) return Number(segment);
  throw new LoopwrightError("ITERATION_NOT_FOUND", "An iteration is named by its number, from 1");
}

/** Only ever compared with paths in a tree object, never opened. */
function fileOf(path: string | undefined): string {
  const parts = path?.split("/") ?? [];
  const isInside = parts.every((part) => part !== "" && part !== "." && part !== "..");
  if (path !== undefined && path.length <= FILE_NAME_LIMIT && isInside && !path.includes("\0"))
    return path;
  throw new LoopwrightError("QUERY_INVALID", "?file= has to be a path under the checkout");
}
