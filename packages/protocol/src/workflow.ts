import { z } from "zod";
import { durationText } from "./quantities.ts";
import { slug } from "./primitives.ts";

const count = z.int().nonnegative();

function workflowShape<D extends z.ZodType<number>>(duration: D) {
  return z.strictObject({
    description: z.string().default("").describe("What it is for."),
    enabled: z.boolean().default(true).describe("Whether it takes part."),
    priority: z.int().default(0).describe("Of those that may run, the highest does."),
    run_every: z
      .int()
      .positive()
      .default(1)
      .describe("Iterations of other workflows between two of its starts, at least."),
    must_follow: slug.optional().describe("Due once after each success of that workflow."),
    not_before_iteration: count
      .default(0)
      .describe("Iterations that must have passed before its first."),
    run_on_start: z
      .boolean()
      .default(false)
      .describe("Until its first success nothing has to be due for it."),
    run_after_successes: z
      .strictObject({
        workflow: slug.describe("The workflow whose successes count."),
        every: z.int().positive().describe("How many make it due."),
      })
      .optional()
      .describe("Due after every so many successes of another: `{ workflow: inner, every: 3 }`."),
    run_when_requested: z
      .boolean()
      .default(false)
      .describe("Runs only while another has asked for it in `project_state/requests/`."),
    emits_goal_check: z
      .boolean()
      .default(false)
      .describe("It evaluates, and must write `out/goal_check.json`."),
    plans: z
      .boolean()
      .default(false)
      .describe("The action that its report recommends becomes the goal's next action."),
    may_complete: z.boolean().default(false).describe("It may claim that the goal is met."),
    agent: slug.optional().describe("An agent of `loopwright.yaml`; else its `default_agent`."),
    tier: slug.optional().describe("A tier of `loopwright.yaml`."),
    session: z
      .enum(["fresh", "resume"])
      .default("fresh")
      .describe("Whether the agent begins anew each time, or goes on with its earlier session."),
    timeout: duration
      .optional()
      .describe("Longest run of its agent; `limits.iteration_timeout`, if left out."),
    silence_timeout: duration
      .optional()
      .describe("Longest time without output; `limits.silence_timeout`, if left out."),
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
