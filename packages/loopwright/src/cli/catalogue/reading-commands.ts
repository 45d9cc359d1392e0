import { type Command } from "commander";
import { dispatch } from "./dispatch.ts";
import { wholeNumber } from "./numbers.ts";

export function addReadingCommands(program: Command, outcome: { exitCode: number }): void {
  program.commandsGroup("Look (SESSION is an id, the beginning of one, or latest):");
  program
    .command("status")
    .argument("[goal]", "the goal to show in full")
    .summary("every goal: phase, iteration, cost, what waits on whom")
    .description(
      "Shows every goal of the registry: phase, iteration, cost, and what waits on whom.",
    )
    .option("--all", "the goals of every project that init has set up")
    .option("--watch", "show it again when something changes")
    .action(dispatch(outcome, "reads", () => import("../commands/status.ts")));
  program
    .command("events")
    .argument("[session]", "the session", "latest")
    .summary("the journal, one event a line")
    .description("Prints the journal, one event a line; with --json, one JSON value a line.")
    .option("--follow", "go on as new events arrive, until the session ends")
    .option("--after <seq>", "only what came after this line of the journal", wholeNumber(0))
    .action(dispatch(outcome, "reads", () => import("../commands/events.ts")));
  program
    .command("timeline")
    .argument("[session]", "the session", "latest")
    .summary("what happened and why")
    .description(
      "Tells what happened in a session, and why, an entry for each iteration and verification.",
    )
    .action(dispatch(outcome, "reads", () => import("../commands/timeline.ts")));
  program
    .command("show")
    .argument("<session>", "the session")
    .argument("[iteration]", "number of the iteration", wholeNumber(1))
    .summary("a session or one iteration in full")
    .description(
      "Shows a session, or one of its iterations: outcome, report, evidence, changes, cost, and its files.",
    )
    .action(dispatch(outcome, "reads", () => import("../commands/show.ts")));
  program
    .command("logs")
    .argument("<session>", "the session")
    .argument("<iteration>", "number of the iteration", wholeNumber(1))
    .summary("what the agent of an iteration printed")
    .description(
      "Prints what the agent of an iteration printed. Control characters are left out on a terminal.",
    )
    .option("--follow", "go on while the agent runs")
    .option("--raw", "the bytes as they are")
    .action(dispatch(outcome, "reads", () => import("../commands/logs.ts")));
  program
    .command("explain")
    .argument("[session]", "the session", "latest")
    .summary("why this workflow is next, why the others are not, why it stopped")
    .description("Gives the scheduler's reasons with their numbers, and why the session stopped.")
    .option("--at <seq>", "the decision in force at this line of the journal", wholeNumber(1))
    .option(
      "--what-if <workflow-yaml>",
      "replay under an edited workflow.yaml (its folder names the workflow): the first decision that differs",
    )
    .action(dispatch(outcome, "reads", () => import("../commands/explain.ts")));
  program
    .command("verify")
    .argument("[session]", "the session", "latest")
    .summary("re-decide every decision and compare with files, processes and git")
    .description(
      "Folds the journal, makes every decision again from its stored facts, and compares with files, processes and git. " +
        "Lists every disagreement.",
    )
    .action(dispatch(outcome, "judges", () => import("../commands/verify.ts")));
  program
    .command("serve")
    .summary("the status server: all goals of the registry over HTTP")
    .description(
      "Serves all goals of the registry over HTTP until it is ended: status, sessions, events, and people's writes.",
    )
    .option(
      "--host <address>",
      "where to listen; others than this machine's need a token file",
      "127.0.0.1",
    )
    .option("--port <number>", "the port; 0: any free one", wholeNumber(0), 4680)
    .option("--token-file <file>", "the token that may do everything, instead of a new one")
    .option("--read-token-file <file>", "a token that may only read")
    .action(dispatch(outcome, "changes", () => import("../commands/serve.ts")));
}
