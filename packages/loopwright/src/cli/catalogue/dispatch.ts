import type { Command } from "commander";
import type { Context, GlobalOptions } from "../context.ts";
import { CUT_OFF } from "../output/guard-output.ts";

/** What stood on the command line of one command. `options` are commander's, in camel case. */
export interface Invocation {
  readonly args: readonly (string | readonly string[] | undefined)[];
  readonly options: Readonly<Record<string, unknown>>;
}

/** A file in `commands/`. Returns the exit code. */
export interface CommandModule {
  run(context: Context, invocation: Invocation): Promise<number>;
}

/** What a command line comes to. */
export interface Outcome {
  exitCode: number;
  /** The exit code when the reader of its output leaves before the end (`| head`). */
  whenCut?: number;
}

/**
 * The action of a command: loads its file and runs it.
 * @param effect `reads`: nothing but its output counts. `judges`: it changes nothing, but its exit code says something.
 *   `changes`: refused inside of an agent's attempt, where only reading is allowed
 */
export function dispatch(
  outcome: Outcome,
  effect: "reads" | "judges" | "changes",
  load: () => Promise<CommandModule>,
): (...parameters: unknown[]) => Promise<void> {
  return async (...parameters) => {
    const command = parameters.at(-1) as Command;
    const [{ createContext }, module] = await Promise.all([import("../context.ts"), load()]);
    outcome.whenCut = effect === "reads" ? 0 : CUT_OFF;
    if (effect === "changes") await refuseInsideAttempt(command.name());
    const context = createContext(command.optsWithGlobals<GlobalOptions>());
    outcome.exitCode = await module.run(context, {
      args: parameters.slice(0, -2) as Invocation["args"],
      options: ownOptions(command),
    });
  };
}

/** Commander gives an option that a command and its subcommand share (`archive --execute`) to the outer one. */
function ownOptions(command: Command): Invocation["options"] {
  const outer = command.parent;
  return outer?.parent === null || outer === null
    ? command.opts()
    : { ...outer.opts(), ...command.opts() };
}

/** A guard rail, not a wall: an agent that wants to can unset a variable. */
async function refuseInsideAttempt(name: string): Promise<void> {
  const attempt = process.env["LOOPWRIGHT_ATTEMPT"];
  if (attempt === undefined || attempt === "") return;
  const { LoopwrightError } = await import("@loopwright/protocol");
  throw new LoopwrightError(
    "INSIDE_ATTEMPT",
    `"loopwright ${name}" changes things and was called by the agent of attempt ${attempt}, which may only read`,
    {
      hint: "An agent asks through the files in its out directory; contract.json beside its prompt describes them.",
    },
  );
}
