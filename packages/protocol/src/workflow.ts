import { z } from "zod";
import { durationText } from "./quantities.ts";
import { slug } from "./primitives.ts";

const count = z.int().nonnegative();

function workflowShape<D extends z.ZodType<number>>(duration: D) {
  return z.strictObject({
    description: z.string().default(""),
    enabled: z.boolean().default(true),
    /** Higher first. */
    priority: z.int().default(0),
    /** At least this many other iterations between two starts. */
    run_every: z.int().positive().default(1),
    /** Due once after each success of that workflow. */
    must_follow: slug.optional(),
    /** Completed iterations needed before the first run. */
    not_before_iteration: count.default(0),
    run_on_start: z.boolean().default(false),
    /** Due after every `every` successes of `workflow`. */
    run_after_successes: z.strictObject({ workflow: slug, every: z.int().positive() }).optional(),
    /** Only while `project_state/requests/<workflow>.md` stands. */
    run_when_requested: z.boolean().default(false),
    emits_goal_check: z.boolean().default(false),
    plans: z.boolean().default(false),
    may_complete: z.boolean().default(false),
    agent: slug.optional(),
    tier: slug.optional(),
    session: z.enum(["fresh", "resume"]).default("fresh"),
    timeout: duration.optional(),
    silence_timeout: duration.optional(),
  });
}

/** `workflow.yaml` as people write it. The folder name is the id. */
export const workflowFile = workflowShape(durationText);
export type WorkflowFile = z.output<typeof workflowFile>;

/** A workflow as a session freezes it: its fields, its id and its prompt text. */
export const frozenWorkflow = workflowShape(z.int().positive()).extend({
  id: slug,
  prompt: z.string().min(1),
});
export type FrozenWorkflow = z.output<typeof frozenWorkflow>;
