import { LoopwrightError } from "@loopwright/protocol";
import { isSessionId } from "../../store/session-id.ts";
import type { ReadModel } from "../model.ts";
import type { Query } from "../query.ts";
import type { ReadRoute } from "../routes.ts";
import { withActions } from "../words/actions.ts";
import { checkOutputView } from "../views/check-output.ts";
import { checksView } from "../views/checks.ts";
import { explainView } from "../views/explain.ts";
import { iterationsView } from "../views/iterations.ts";
import { timelineView } from "../views/timeline.ts";

const GOAL = { goal: "the goal, where two have a session of the same id" };
const PAGE = { least: 1, most: 500 };
const ANY = { least: 0, most: Number.MAX_SAFE_INTEGER };

export const SESSION_ROUTES: readonly ReadRoute[] = [
  {
    path: "/sessions/:id",
    summary: "One session: phase, state, what it is run with, attention.",
    query: GOAL,
    answer(model, [id = ""], query) {
      const view = isSessionId(id) ? model.session(id, query.text("goal")) : undefined;
      if (view !== undefined) return { ...view, attention: view.attention.map(withActions) };
      throw noSession();
    },
  },
  {
    path: "/sessions/:id/iterations",
    summary: "A page of iterations, in order.",
    query: { ...GOAL, after: "iteration number", limit: "at most 500" },
    answer: (model, [id], query) =>
      iterationsView(recordOf(model, id, query).record, {
        after: query.number("after", 0, ANY),
        limit: query.number("limit", 50, PAGE),
      }),
  },
  {
    path: "/sessions/:id/explain",
    summary: "Why this workflow, why not the others, why it stopped, and how to go on.",
    query: GOAL,
    answer: (model, [id], query) => explainView(recordOf(model, id, query).record),
  },
  {
    path: "/sessions/:id/checks",
    summary: "Every verification with each check's outcome, by the iteration that it followed.",
    query: { ...GOAL, from: "iteration", to: "iteration", limit: "at most 500" },
    answer: (model, [id], query) =>
      checksView(recordOf(model, id, query).record, {
        from: query.number("from", 0, ANY),
        to: query.number("to", Number.MAX_SAFE_INTEGER, ANY),
        limit: query.number("limit", 200, PAGE),
      }),
  },
  {
    path: "/sessions/:id/evaluations/:evaluation/:check/output",
    summary: "What a check printed in one verification, such as 3-1; secrets are redacted.",
    query: { ...GOAL, offset: "bytes", limit: "bytes, at most 1 MiB" },
    answer: (model, [id, evaluation, check = ""], query) =>
      checkOutputView(recordOf(model, id, query).record, evaluationOf(evaluation), check, {
        offset: query.number("offset", 0, ANY),
        limit: query.number("limit", 64 * 1024, { least: 1, most: 1024 * 1024 }),
      }),
  },
  {
    path: "/sessions/:id/timeline",
    summary: "What happened, newest first, in sentences.",
    query: { ...GOAL, before: "journal line", limit: "at most 500", all: "1: details, too" },
    answer: (model, [id], query) =>
      timelineView(recordOf(model, id, query).record, {
        before: query.optionalNumber("before"),
        limit: query.number("limit", 50, PAGE),
        all: query.text("all") === "1",
      }),
  },
];

/** `3-1`: the first verification after iteration 3; 0 is before the first iteration. */
function evaluationOf(segment: string | undefined) {
  const [, iteration, number] = /^(\d{1,9})-([1-9]\d{0,5})$/.exec(segment ?? "") ?? [];
  if (iteration !== undefined && number !== undefined)
    return { iteration: Number(iteration), number: Number(number) };
  throw new LoopwrightError(
    "CHECK_NOT_FOUND",
    "A verification is named by its iteration and number, like 3-1",
  );
}

export function recordOf(model: ReadModel, id: string | undefined, query: Query) {
  const found =
    id !== undefined && isSessionId(id) ? model.record(id, query.text("goal")) : undefined;
  if (found !== undefined) return found;
  throw noSession();
}

function noSession(): LoopwrightError {
  return new LoopwrightError("SESSION_NOT_FOUND", "There is no such session here");
}
