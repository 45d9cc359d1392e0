import { z } from "zod";
import { type BadLine, readRows } from "../../store/line-file.ts";

const row = z.looseObject({
  generated_at: z.string(),
  goal_id: z.string().optional(),
  classification: z.string().default("state_refreshed"),
  recommended_action: z.string().nullish(),
  recommended_action_source: z.string().nullish(),
  json_path: z.string().nullish(),
  markdown_path: z.string().nullish(),
  progress_scope: z.string().nullish(),
  state: z.looseObject({ sha256_16: z.string().nullish() }).nullish(),
});

/** One run of LoopX, as its index has it. */
export type LoopxRun = z.output<typeof row>;

/**
 * `runs/index.jsonl`, newest first. Lines of one identity are merged, the later over the earlier; order is by instant,
 * then by place in the file; times that can't be read come last. Bad lines are told by number.
 */
export function readRunIndex(path: string): { runs: LoopxRun[]; bad: BadLine[] } {
  const { rows, bad } = readRows(path);
  const merged = new Map<string, { run: LoopxRun; place: number }>();
  for (const [place, value] of rows.entries()) {
    const parsed = row.safeParse(value);
    if (!parsed.success) continue;
    const run = parsed.data;
    const identity = JSON.stringify([run.generated_at, run.json_path, run.markdown_path]);
    const before = merged.get(identity);
    merged.set(identity, { run: { ...before?.run, ...run }, place: before?.place ?? place });
  }
  const ordered = [...merged.values()].sort(
    (a, b) => instant(b.run) - instant(a.run) || b.place - a.place,
  );
  return { runs: ordered.map(({ run }) => run), bad };
}

/** The newest run that says something of the goal: no accounting, and not of one agent's lane alone. */
export function latestGoalRun(runs: readonly LoopxRun[]): LoopxRun | undefined {
  return runs.find(
    ({ classification, progress_scope: scope }) =>
      scope !== "agent_lane" && !NEUTRAL.has(classification),
  );
}

const NEUTRAL = new Set(["quota_slot_spent", "quota_slot_voided", "quota_monitor_poll"]);

function instant({ generated_at: at }: LoopxRun): number {
  const time = Date.parse(at);
  return Number.isNaN(time) ? -Infinity : time;
}
