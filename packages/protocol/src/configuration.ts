import { z } from "zod";
import { durationText, sizeText } from "./quantities.ts";
import { slug } from "./primitives.ts";

const positive = z.int().positive();
const money = z.number().positive();

export const agentPermissions = z.enum(["read-only", "workspace", "full"]);

export const price = z.strictObject({
  input_usd_per_1m: z.number().nonnegative(),
  output_usd_per_1m: z.number().nonnegative(),
  cached_input_usd_per_1m: z.number().nonnegative().optional(),
});

/** Adapters that exist or have their place; which of them run is the business of `src/agents`. */
export const ADAPTERS = [
  "command",
  "codex",
  "claude",
  "gemini",
  "opencode",
  "acp",
  "team",
] as const;

function agentShape<D extends z.ZodType<number>>(duration: D) {
  return z.strictObject({
    adapter: z.enum(ADAPTERS),
    /** `command` adapter: program and arguments; never run through a shell. */
    command: z.array(z.string().min(1)).min(1).optional(),
    /** `command` adapter: how its standard output is read. */
    dialect: z.enum(["none", "json-lines"]).default("none"),
    /** `command` adapter: where the prompt goes; `file` replaces `{prompt_file}` in the arguments. */
    prompt: z.enum(["stdin", "file"]).default("stdin"),
    model: z.string().min(1).optional(),
    effort: z.string().min(1).optional(),
    args: z.array(z.string()).default([]),
    env: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string()).default({}),
    /** Names of variables of the user's environment that the agent may see, beside the standard ones. */
    pass_env: z.array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/)).default([]),
    permissions: agentPermissions.default("workspace"),
    timeout: duration.optional(),
    silence_timeout: duration.optional(),
    price: price.optional(),
    fallback: z.array(slug).default([]),
    max_parallel: positive.optional(),
  });
}

function configurationShape<D extends z.ZodType<number>, S extends z.ZodType<number>>(
  duration: D,
  size: S,
  defaults: {
    readonly [
      K in "iteration_timeout" | "silence_timeout" | "recovery" | "takeover" | "patience"
    ]: z.input<D>;
  } & { raw_log: z.input<S> },
) {
  const orDefault = (value: z.input<D>): z.ZodType<number> =>
    (duration as z.ZodType<number>).prefault(value as never);
  const limits = z.strictObject({
    /** Iterations of this session; abandoned ones count. */
    max_iterations: positive.default(40),
    /** Monotonic time with a task live: not paused, not waiting, not asleep. */
    max_wall_clock: duration.nullable().default(null),
    max_tokens: positive.nullable().default(null),
    max_cost_usd: money.nullable().default(null),
    per_day: z
      .strictObject({
        max_cost_usd: money.nullable().default(null),
        max_tokens: positive.nullable().default(null),
      })
      .prefault({}),
    iteration_timeout: orDefault(defaults.iteration_timeout),
    silence_timeout: orDefault(defaults.silence_timeout),
    no_progress_after: positive.nullable().default(6),
    workflow_failure_cap: positive.default(5),
    iteration: z
      .strictObject({
        max_tokens: positive.nullable().default(null),
        max_cost_usd: money.nullable().default(null),
      })
      .prefault({}),
  });
  return z.strictObject({
    goal_file: z.string().min(1),
    workflow_set: slug,
    completion_criteria: z.array(z.string()).default([]),
    stop_criteria: z.array(z.string()).default([]),
    agents: z
      .record(slug, agentShape(duration))
      .refine((agents) => Object.keys(agents).length > 0, "at least one agent is needed"),
    default_agent: slug,
    limits: limits.prefault({} as never),
    unknown_cost: z.enum(["count_iterations", "stop"]).default("count_iterations"),
    gate: z
      .strictObject({
        checks: z.string().min(1).default(".loopwright/checks"),
        protect: z.array(z.string().min(1)).default([]),
        baseline: z.enum(["require_red", "allow_green"]).default("require_red"),
        run: z.enum(["claims", "implementing"]).default("claims"),
        approve: z.array(z.enum(["goal_met"])).default([]),
      })
      .prefault({}),
    recovery: z
      .strictObject({
        policy: z.enum(["adopt", "drain", "reap"]).default("adopt"),
        timeout: orDefault(defaults.recovery),
      })
      .prefault({} as never),
    tiers: z
      .record(
        slug,
        z.record(
          slug,
          z.strictObject({ model: z.string().min(1), effort: z.string().min(1).optional() }),
        ),
      )
      .default({}),
    takeover_after: orDefault(defaults.takeover),
    worker_patience: orDefault(defaults.patience),
    notify: z
      .strictObject({
        command: z.array(z.string().min(1)).min(1).nullable().default(null),
        webhook: z.url().nullable().default(null),
        desktop: z.boolean().default(false),
        on: z
          .array(z.enum(["stopped", "attention", "limit_80"]))
          .default(["stopped", "attention", "limit_80"]),
      })
      .prefault({}),
    retention: z
      .strictObject({
        raw_log_cap: (size as z.ZodType<number>).prefault(defaults.raw_log as never),
        keep_iterations: positive.default(200),
      })
      .prefault({} as never),
    isolation: z.enum(["none", "worktree"]).default("none"),
    worktree: z
      .strictObject({
        setup: z.array(z.string().min(1)).default([]),
        on_dirty: z.enum(["snapshot", "refuse"]).default("snapshot"),
      })
      .prefault({}),
  });
}

/** `loopwright.yaml` as people write it; its output has durations in milliseconds and sizes in bytes. */
export const configurationFile = configurationShape(durationText, sizeText, {
  iteration_timeout: "60m",
  silence_timeout: "15m",
  recovery: "10m",
  takeover: "10m",
  patience: "10m",
  raw_log: "50MB",
});

/** The same, already read: what a session freezes. Every default is filled in. */
export const frozenConfiguration = configurationShape(z.int().positive(), z.int().positive(), {
  iteration_timeout: 3_600_000,
  silence_timeout: 900_000,
  recovery: 600_000,
  takeover: 600_000,
  patience: 600_000,
  raw_log: 50_000_000,
});

export type Configuration = z.output<typeof frozenConfiguration>;
export type AgentConfiguration = Configuration["agents"][string];

/** `~/.loopwright/config.yaml`: limits over all goals of a user, and prices. */
export const userConfigurationFile = z.strictObject({
  limits: z
    .strictObject({
      max_tokens: positive.nullable().default(null),
      max_cost_usd: money.nullable().default(null),
      per_day: z
        .strictObject({
          max_cost_usd: money.nullable().default(null),
          max_tokens: positive.nullable().default(null),
        })
        .prefault({}),
    })
    .prefault({}),
  prices: z.record(z.string().min(1), price).default({}),
});
