import { Command, CommanderError } from "commander";
import { addArchiveCommands } from "./catalogue/archive-commands.ts";
import type { Outcome } from "./catalogue/dispatch.ts";
import { addGoalCommands } from "./catalogue/goal-commands.ts";
import { addImportCommands } from "./catalogue/import-commands.ts";
import { addLoopCommands } from "./catalogue/loop-commands.ts";
import { addPlanCommands } from "./catalogue/plan-commands.ts";
import { addProjectCommands } from "./catalogue/project-commands.ts";
import { addReadingCommands } from "./catalogue/reading-commands.ts";
import { addSteeringCommands } from "./catalogue/steering-commands.ts";
import { calledAs } from "./output/as-called.ts";
import { guardOutput } from "./output/guard-output.ts";
import { VERSION } from "./version.ts";

/** Runs one command line and returns the exit code. Never throws for a mistake of the user. */
export async function main(words: readonly string[]): Promise<number> {
  const outcome: Outcome = { exitCode: 0, whenCut: 0 };
  guardOutput(words.includes("--ordered") ? "go-on" : { cut: () => outcome.whenCut ?? 0 });
  const program = createProgram(outcome);
  if (words.length === 0) {
    process.stdout.write(program.helpInformation());
    return 0;
  }
  try {
    await program.parseAsync([...words], { from: "user" });
    return outcome.exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    // `loopwright goal` alone: commander has shown what there is.
    if (error instanceof CommanderError && error.code === "commander.help") return 2;
    const { printError } = await import("./output/print-error.ts").catch(() => bare);
    return printError(error, { json: words.includes("--json"), debug: words.includes("--debug") });
  }
}

/** Where not even the code that tells errors can be loaded: no descriptors left, or an installation that was removed. */
const bare = {
  printError(error: unknown): number {
    process.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  },
};

/** All commands with their names and options; what they do is loaded when one of them runs. */
export function createProgram(outcome: { exitCode: number }): Command {
  const program = new Command(calledAs())
    .description("Durable loops for coding agents.")
    .version(VERSION, "-V, --version", "print the version")
    .helpOption("-h, --help", "show help")
    .helpCommand("help [command]", "show help for a command")
    .option("--registry <path>", "the registry file to use")
    .option("--runtime-root <dir>", "where runtime data lives, instead of what the registry says")
    .option("--goal <id>", "the goal that is meant, where several could be")
    .option("--json", "print one JSON document on stdout")
    .option("--quiet", "no progress and no warnings on stderr")
    .option("--no-color", "no colours (NO_COLOR works, too)")
    .option("--debug", "with unexpected errors, print where they came from")
    .option("-C <dir>", "run as if started in this directory")
    .configureHelp({ sortSubcommands: false, showGlobalOptions: true })
    .showSuggestionAfterError(true)
    .exitOverride()
    .configureOutput({ outputError: () => undefined });
  addProjectCommands(program, outcome);
  addLoopCommands(program, outcome);
  addReadingCommands(program, outcome);
  addSteeringCommands(program, outcome);
  addPlanCommands(program, outcome);
  addGoalCommands(program, outcome);
  addArchiveCommands(program, outcome);
  addImportCommands(program, outcome);
  return program;
}
