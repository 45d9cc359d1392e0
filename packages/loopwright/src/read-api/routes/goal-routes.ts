import { type GoalStatus, LoopwrightError } from "@loopwright/protocol";
import { validateGoalId } from "../../control-plane/goal-id.ts";
import type { ReadRoute } from "../routes.ts";
import { withActions } from "../words/actions.ts";
import { sinceRow, usageBuckets } from "../views/spending.ts";

const PAGE = { least: 1, most: 1000 };

export const GOAL_ROUTES: readonly ReadRoute[] = [
  {
    path: "/status",
    summary: "Every goal in at most 500 bytes, and the cursor of events that this is true for.",
    answer: (model) => model.status(),
  },
  {
    path: "/goals",
    summary: "A page of goals, by id.",
    query: { after: "goal id", limit: "at most 1000", phase: "only goals in this phase" },
    answer(model, _, query) {
      const after = query.text("after") ?? "";
      const phase = query.text("phase");
      const limit = query.number("limit", 100, PAGE);
      const rest = model
        .status()
        .goals.filter((goal) => goal.id > after && (phase === undefined || goal.phase === phase))
        .sort(byId);
      const goals = rest.slice(0, limit);
      return {
        schema_version: 1,
        goals,
        next: rest.length > goals.length ? (goals.at(-1)?.id ?? null) : null,
        totals: model.totals(),
      };
    },
  },
  {
    path: "/goals/:id",
    summary: "One goal with its whole texts, its attention items and sessions.",
    answer(model, [id = ""]) {
      const goal = model.goal(validateGoalId(id));
      if (goal !== undefined) return { ...goal, attention: goal.attention.map(withActions) };
      throw new LoopwrightError("GOAL_NOT_FOUND", `There is no goal ${JSON.stringify(id)} here`);
    },
  },
  {
    path: "/attention",
    summary:
      "What waits on whom over all goals, most severe first, then oldest, with what settles it.",
    query: { goal: "only this goal", offset: "items to leave out", limit: "at most 1000" },
    answer(model, _, query) {
      const goal = query.text("goal");
      const all = model.attention().filter((item) => goal === undefined || item.goal_id === goal);
      const offset = query.number("offset", 0, { least: 0, most: 1_000_000 });
      const items = all.slice(offset, offset + query.number("limit", 100, PAGE));
      const next = offset + items.length < all.length ? offset + items.length : null;
      return { schema_version: 1, total: all.length, items: items.map(withActions), next };
    },
  },
  {
    path: "/since",
    summary: "What every goal did from a moment on: iterations, checks, cost, ends.",
    query: { from: "ISO time; default: when somebody last looked (POST /seen), or 24 hours ago" },
    answer(model, _, query) {
      const seen = model.seen?.() ?? null;
      const usual = seen === null ? Date.now() - 24 * 3_600_000 : Date.parse(seen);
      const from = query.time("from") ?? usual;
      const goals = model.recordsSince(from).flatMap((record) => sinceRow(record, from) ?? []);
      return { schema_version: 1, from: new Date(from).toISOString(), seen, goals };
    },
  },
  {
    path: "/usage",
    summary: "Iterations, tokens and cost by hour or day, UTC.",
    query: { by: "hour or day", from: "ISO time, default 7 days ago", goal: "only this goal" },
    answer(model, _, query) {
      const by = query.text("by") ?? "day";
      if (by !== "hour" && by !== "day")
        throw new LoopwrightError("QUERY_INVALID", "?by= has to be hour or day");
      const from = query.time("from") ?? Date.now() - 7 * 24 * 3_600_000;
      const goal = query.text("goal");
      const records = model
        .recordsSince(from)
        .filter(({ goalId }) => goal === undefined || goalId === goal);
      return { schema_version: 1, by, buckets: usageBuckets(records, from, by) };
    },
  },
  {
    path: "/machine",
    summary: "What doctor finds on this machine.",
    async answer(model) {
      const found = await model.machine?.();
      if (found !== undefined) return found;
      throw new LoopwrightError("ROUTE_NOT_FOUND", "Only the status server looks at the machine");
    },
  },
];

function byId(a: GoalStatus, b: GoalStatus): number {
  return a.id < b.id ? -1 : 1;
}
