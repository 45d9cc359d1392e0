import type { Command } from "commander";
import { dispatch } from "./dispatch.ts";

export function addProjectCommands(program: Command, outcome: { exitCode: number }): void {
  program.commandsGroup("Project:");
  program
    .command("init")
    .summary("set up a project: creates missing files only, and lists what it made")
    .description(
      "Sets up a project. Creates missing files only, registers the goal, lists what it made; can be repeated.",
    )
    .option("--template <name>", "single or inner_outer_eval (default: inner_outer_eval)")
    .option("--goal-id <id>", "the goal's id (default: <folder>-<4 hex>)")
    .option(
      "--agent <name>",
      "command, codex, claude, gemini or opencode (default: the first that is installed)",
    )
    .action(dispatch(outcome, "changes", () => import("../commands/init.ts")));
  program
    .command("validate")
    .summary("report every problem of the project, with its place; starts nothing")
    .description(
      "Checks everything that a run needs and reports all problems at once. Starts and creates nothing.",
    )
    .action(dispatch(outcome, "judges", () => import("../commands/validate.ts")));
  program
    .command("check")
    .summary("run the acceptance checks now and print a receipt")
    .description(
      "Runs the acceptance checks now and prints a receipt. While a session is open its pinned checks run, and the receipt " +
        "is journaled; otherwise the checks run as they stand.",
    )
    .option(
      "--repin",
      "first accept your own edits of checks and protected files in the latest session, and show them",
    )
    .action(dispatch(outcome, "changes", () => import("../commands/check.ts")));
  program
    .command("doctor")
    .summary("look at the health of machine, agents, state, locks, leftovers and disk")
    .description(
      "Looks at machine, agents, runtime root, locks, sessions and leftovers, and says what to do.",
    )
    .option("--fix", "do what is safe: end leftovers, remove half-made directories")
    .option(
      "--take-over",
      "with --fix: also free locks of holders of which nothing can be said from here",
    )
    .action(dispatch(outcome, "judges", () => import("../commands/doctor.ts")));
}
