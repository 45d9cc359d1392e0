import type { State } from "@loopwright/engine";
import type { Configuration } from "@loopwright/protocol";

type Kind = Configuration["notify"]["on"][number];

/** One thing that somebody wants to be told. */
export interface Notice {
  readonly schema_version: 1;
  /** The same each time that this notice is sent, so that a receiver can drop repetitions. */
  readonly id: string;
  readonly kind: Kind;
  readonly goal_id: string;
  readonly session_id: string;
  readonly seq: number;
  readonly at: string;
  readonly status: State["status"];
  readonly stop_reason: State["stop_reason"];
  /** One sentence. */
  readonly text: string;
}

/** From this share of a limit on, somebody may still do something about it. */
const SHARE = 0.8;

/** What one line of the journal has brought. Pure. */
export function noticesOf(before: State | null, after: State, on: readonly Kind[]): Notice[] {
  const found: [Kind, string, string][] = [
    ...stops(before, after),
    ...attention(before, after),
    ...limits(before, after),
  ];
  const { goal_id, session_id, seq, status, stop_reason, updated_at: at } = after;
  return found
    .filter(([kind]) => on.includes(kind))
    .map(([kind, what, text]) => ({
      schema_version: 1,
      id: `${goal_id}/${session_id}/${seq}/${what}`,
      kind,
      goal_id,
      session_id,
      seq,
      at,
      status,
      stop_reason,
      text,
    }));
}

function stops(before: State | null, after: State): [Kind, string, string][] {
  if (after.status === "running" || before?.status === after.status) return [];
  const why = after.stop_detail ?? after.stop_reason ?? "";
  return [["stopped", "stopped", `The session is ${after.status} (${after.stop_reason}): ${why}`]];
}

function attention(before: State | null, after: State): [Kind, string, string][] {
  const found: [Kind, string, string][] = [];
  const { paused } = after;
  // Who paused it knows.
  if (paused !== null && before?.paused?.at !== paused.at && paused.reason !== "user")
    found.push(["attention", "paused", `It is paused (${paused.reason}): ${paused.detail}`]);
  const asked = new Set(before?.questions.map(({ id }) => id));
  for (const { id, text, blocking } of after.questions) {
    if (asked.has(id)) continue;
    const what = blocking ? "It waits for an answer" : "It asks";
    found.push(["attention", `question-${id}`, `${what}: ${text}`]);
  }
  for (const [id, { benched }] of Object.entries(after.workflows))
    if (benched && before?.workflows[id]?.benched !== true)
      found.push(["attention", `benched-${id}`, `Workflow ${id} failed too often and is benched`]);
  return found;
}

function limits(before: State | null, after: State): [Kind, string, string][] {
  return Object.entries(sharesOf(after)).flatMap(([limit, now]): [Kind, string, string][] => {
    const was = before === null ? 0 : (sharesOf(before)[limit] ?? 0);
    if (was >= SHARE || now < SHARE) return [];
    return [["limit_80", `limit-${limit}`, `${Math.floor(now * 100)} % of ${limit} are used`]];
  });
}

function sharesOf({ limits: most, spent, iterations }: State): Record<string, number> {
  const share = (used: number, limit: number | null): number => (limit === null ? 0 : used / limit);
  return {
    max_iterations: share(iterations, most.max_iterations),
    max_cost_usd: share(spent.cost_usd, most.max_cost_usd),
    max_tokens: share(spent.tokens, most.max_tokens),
    max_wall_clock_ms: share(spent.live_ms, most.max_wall_clock_ms),
  };
}
