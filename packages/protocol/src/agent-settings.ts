import { z } from "zod";
import { choice } from "./choice.ts";
import { slug } from "./primitives.ts";

export const agentPermissions = z.enum(["read-only", "workspace", "full"]);

export const price = z.strictObject({
  input_usd_per_1m: z.number().nonnegative().describe("US dollars for a million input tokens."),
  output_usd_per_1m: z.number().nonnegative().describe("US dollars for a million output tokens."),
  cached_input_usd_per_1m: z
    .number()
    .nonnegative()
    .optional()
    .describe("US dollars for a million cached input tokens; as other input, if left out."),
});

const variableName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "expected a variable's name");

/** One of `agents:` in `loopwright.yaml`. */
export function agentShape<D extends z.ZodType<number>>(duration: D) {
  return z.strictObject({
    adapter: choice(["command"], {
      values: ["codex", "claude", "gemini", "opencode", "acp", "team"],
      instead:
        "Use adapter: command, which runs any program: command: [claude, -p], command: [codex, exec, -].",
    }).describe("How the program is talked to. `command` runs any program, the others a CLI."),
    command: z
      .array(z.string().min(1))
      .min(1)
      .optional()
      .describe(
        "Program and arguments, such as `[node, agent.mjs]`; never run through a shell. For a CLI: its program, where it isn't on PATH.",
      ),
    user_settings: z
      .boolean()
      .default(false)
      .describe(
        "Whether your own settings of the CLI, with their hooks and MCP servers, act in a loop. Your login does in any case.",
      ),
    dialect: z
      .enum(["none", "json-lines"])
      .default("none")
      .describe("What the program's standard output says: nothing, or events with usage and cost."),
    prompt: z
      .enum(["stdin", "file"])
      .default("stdin")
      .describe(
        "Where the prompt goes. `file` puts its path for `{prompt_file}` in the arguments.",
      ),
    model: z.string().min(1).optional().describe("Put for `{model}` in the arguments."),
    effort: z.string().min(1).optional().describe("Put for `{effort}` in the arguments."),
    args: z.array(z.string()).default([]).describe("Further arguments, behind those of `command`."),
    env: z
      .record(variableName, z.string())
      .default({})
      .describe("Variables for the program, such as `{ MODE: careful }`."),
    pass_env: z
      .array(variableName)
      .default([])
      .describe("Names of variables of yours that it may see, beside the standard ones."),
    permissions: agentPermissions
      .default("workspace")
      .describe("What the agent may do, for adapters that can restrict it; `command` can't."),
    timeout: duration
      .optional()
      .describe("Longest run of one iteration; `limits.iteration_timeout`, if left out."),
    silence_timeout: duration
      .optional()
      .describe("Longest time without output; `limits.silence_timeout`, if left out."),
    price: price.optional().describe("Turns reported tokens into dollars."),
    fallback: z
      .array(slug)
      .default([])
      .describe(
        "Agents that take over, the first that can, while this one's account is out of quota.",
      ),
    max_parallel: z
      .int()
      .positive()
      .optional()
      .describe("Most runs of it at a time; without effect in this version, which runs one."),
  });
}
