import { z } from "zod";
import { agentShape, price } from "./agent-settings.ts";
import { choice } from "./choice.ts";
import { durationText, sizeText } from "./quantities.ts";
import { slug } from "./primitives.ts";

const positive = z.int().positive();
const money = z.number().positive();

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
  return z.strictObject({
    goal_file: z.string().min(1).describe("The text file with the goal, relative to this file."),
    workflow_set: slug.describe("A folder of `.loopwright/workflows`."),
    completion_criteria: z
      .array(z.string())
      .default([])
      .describe("Sentences that say when the goal is met; shown in prompts."),
    stop_criteria: z
      .array(z.string())
      .default([])
      .describe("Sentences that say when to give up; shown in prompts."),
    agents: z
      .record(slug, agentShape(duration))
      .refine((agents) => Object.keys(agents).length > 0, "at least one agent is needed")
      .describe(
        "Names of your choice, and the program of each: `coder: { adapter: command, command: [node, agent.mjs] }`.",
      ),
    default_agent: slug.describe("The agent of every workflow that names none."),
    limits: limitsShape(duration, orDefault, defaults)
      .prefault({} as never)
      .describe("How far a session may go. What is reached stops it; `resume` can raise it."),
    unknown_cost: z
      .enum(["count_iterations", "stop"])
      .default("count_iterations")
      .describe(
        "What limits of tokens and dollars do about iterations that report none: nothing, or stop the session.",
      ),
    gate: gateShape.prefault({}).describe("What a claim that the goal is met has to pass."),
    recovery: z
      .strictObject({
        policy: choice(["adopt"], {
          values: ["drain", "reap"],
          instead: "Use adopt, the default.",
        })
          .default("adopt")
          .describe("What becomes of an agent whose worker died: it is adopted."),
        timeout: orDefault(defaults.recovery).describe(
          "Longest wait for it; without effect in this version.",
        ),
      })
      .prefault({} as never)
      .describe("What happens after a crash."),
    tiers: z
      .record(
        slug,
        z.record(
          slug,
          z.strictObject({
            model: z.string().min(1).describe("The agent's model in this tier."),
            effort: z.string().min(1).optional().describe("The agent's effort in this tier."),
          }),
        ),
      )
      .default({})
      .describe("Tier, agent, and its model there: `fast: { coder: { model: small } }`."),
    takeover_after: orDefault(defaults.takeover).describe(
      "Silence after which a worker of which nothing can be said may be replaced.",
    ),
    worker_patience: orDefault(defaults.patience).describe(
      "How long a worker waits for a coordinator that is gone.",
    ),
    notify: notifyShape.prefault({}).describe("Who is told."),
    retention: z
      .strictObject({
        raw_log_cap: (size as z.ZodType<number>)
          .prefault(defaults.raw_log as never)
          .describe("How much of an agent's output is kept."),
        keep_iterations: positive
          .default(200)
          .describe(
            "Iterations whose output is kept; without effect in this version, which keeps all.",
          ),
      })
      .prefault({} as never)
      .describe("What is kept of the past."),
    isolation: choice(["none"], { values: ["worktree"], instead: "Use none, the default." })
      .default("none")
      .describe("Where agents work: in the checkout itself."),
    worktree: z
      .strictObject({
        setup: z
          .array(z.string().min(1))
          .default([])
          .describe("Program and arguments that prepare a new work tree."),
        on_dirty: z
          .enum(["snapshot", "refuse"])
          .default("snapshot")
          .describe("What becomes of changes that aren't committed."),
      })
      .prefault({})
      .describe("For `isolation: worktree`, which is not available in this version."),
  });
}

function limitsShape<D extends z.ZodType<number>>(
  duration: D,
  orDefault: (value: z.input<D>) => z.ZodType<number>,
  defaults: Readonly<Record<"iteration_timeout" | "silence_timeout", z.input<D>>>,
) {
  return z.strictObject({
    max_iterations: positive.default(40).describe("Iterations of a session; abandoned ones count."),
    max_wall_clock: duration
      .nullable()
      .default(null)
      .describe("Time with an agent or a check at work: not paused, not waiting, not asleep."),
    max_tokens: positive.nullable().default(null).describe("Tokens that agents report."),
    max_cost_usd: money
      .nullable()
      .default(null)
      .describe("US dollars: what agents report, or their tokens at their `price`."),
    per_day: amountsShape("of a day; not available in this version")
      .prefault({})
      .describe("Limits of a day, which are not available in this version."),
    iteration_timeout: orDefault(defaults.iteration_timeout).describe(
      "Longest run of an agent. It is ended, and the iteration counts as timed out.",
    ),
    silence_timeout: orDefault(defaults.silence_timeout).describe(
      "Longest time without a byte of output. The agent is ended, and the iteration counts as silent.",
    ),
    no_progress_after: positive
      .nullable()
      .default(6)
      .describe("Iterations in a row that bring nothing new."),
    workflow_failure_cap: positive.default(5).describe("Failures of one workflow in a row."),
    iteration: amountsShape("of one iteration; not available in this version")
      .prefault({})
      .describe("Limits of one iteration, which are not available in this version."),
  });
}

/** @param of what they are the limits of */
function amountsShape(of: string) {
  return z.strictObject({
    max_tokens: positive.nullable().default(null).describe(`Tokens ${of}.`),
    max_cost_usd: money.nullable().default(null).describe(`US dollars ${of}.`),
  });
}

const gateShape = z.strictObject({
  checks: z
    .string()
    .min(1)
    .default(".loopwright/checks")
    .describe("The folder with the checks. Without any, claims are believed and shown as such."),
  protect: z
    .array(z.string().min(1))
    .default([])
    .describe(
      'Files that are put back before a verification, as globs: `["tests/acceptance/**", package.json]`.',
    ),
  baseline: z
    .enum(["require_red", "allow_green"])
    .default("require_red")
    .describe("Whether a check has to fail at the start, so that it proves something."),
  run: z
    .enum(["claims", "implementing"])
    .default("claims")
    .describe("When checks run: for claims alone, or also after each implementing iteration."),
  approve: z
    .array(
      choice([], { values: ["goal_met"], instead: "Leave approve out; the checks decide alone." }),
    )
    .default([])
    .describe("What a person has to agree to, which is not available in this version."),
});

const notifyShape = z.strictObject({
  command: z
    .array(z.string().min(1))
    .min(1)
    .nullable()
    .default(null)
    .describe("Program and arguments that are run for each event."),
  webhook: z
    .url()
    .nullable()
    .default(null)
    .describe("A whole address that each event is posted to, such as `https://example.org/hook`."),
  desktop: z
    .boolean()
    .default(false)
    .describe("Notification of the desktop, which is not available in this version."),
  on: z
    .array(z.enum(["stopped", "attention", "limit_80"]))
    .default(["stopped", "attention", "limit_80"])
    .describe("The events: the end of a session, what needs a person, 80 % of a limit."),
});

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
