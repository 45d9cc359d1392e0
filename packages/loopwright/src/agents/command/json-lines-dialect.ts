import { CAUSES } from "@loopwright/protocol";
import { z } from "zod";

const tokens = z.int().nonnegative().nullable().default(null);

/**
 * The dialect `json-lines` of the command adapter: one JSON object a line on stdout, told apart by `type`. Everything
 * else (other types, other shapes, lines that aren't JSON, stderr) is kept as it is and means nothing.
 *
 * `ok` needs a `final` with `ok: true` as the last word, and exit code 0. `failure` names the cause of one that isn't.
 */
export const jsonLinesEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("session"),
    id: z.string().min(1).max(200),
    model: z.string().max(200).optional(),
  }),
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({
    type: z.literal("tool_start"),
    name: z.string(),
    id: z.string().optional(),
    detail: z.string().optional(),
  }),
  z.object({
    type: z.literal("tool_end"),
    name: z.string(),
    id: z.string().optional(),
    ok: z.boolean().default(true),
    detail: z.string().optional(),
  }),
  z.object({
    type: z.literal("usage"),
    input_tokens: tokens,
    cached_input_tokens: tokens,
    output_tokens: tokens,
    reasoning_tokens: tokens,
    model: z.string().max(200).nullable().default(null),
    /** `invocation`: the whole run so far, the last one counts. `last_step`: one step, they are added up. */
    basis: z.enum(["invocation", "last_step"]).default("invocation"),
    cost_usd: z.number().nonnegative().optional(),
  }),
  z.object({ type: z.literal("retry"), reason: z.string().default("") }),
  z.object({ type: z.literal("denied"), action: z.string().default("") }),
  z.object({ type: z.literal("question"), text: z.string() }),
  z.object({
    type: z.literal("rate_limit"),
    reset_at: z.iso.datetime({ offset: true }).nullable().default(null),
  }),
  z.object({
    type: z.literal("final"),
    ok: z.boolean().default(true),
    text: z.string().optional(),
  }),
  z.object({
    type: z.literal("failure"),
    cause: z.enum(CAUSES).default("unknown"),
    message: z.string().default(""),
  }),
]);
export type JsonLinesEvent = z.output<typeof jsonLinesEvent>;
