import { type Command, Option } from "commander";
import { dispatch } from "./dispatch.ts";
import { wholeNumber } from "./numbers.ts";

export function addLoopCommands(program: Command, outcome: { exitCode: number }): void {
  program.commandsGroup("Loop:");
  program
    .command("run")
    .summary("run the loop, with a live view; Ctrl-C once: stop after this iteration, twice: now")
    .description(
      "Runs coordinator and worker as two processes, with a live view. Continues an interrupted or paused session. " +
        "Ctrl-C once stops after this iteration, twice stops now.",
    )
    .addOption(new Option("--new", "start another session").conflicts("resume"))
    .option("--resume", "reopen a stopped or failed session")
    .option("--max-iterations <n>", "limit of a new session", wholeNumber(1))
    .option("--goal-file <path>", "goal text of a new session")
    .option("--workflow-set <set>", "workflow set of a new session")
    .option("--take-over", "take the seat of a worker of which nothing can be said from here")
    .action(dispatch(outcome, "changes", () => import("../commands/run.ts")));
  program
    .command("coordinator")
    .summary("run the coordinator alone")
    .description(
      "Runs the coordinator alone: it decides, records and serves. Workers register with it.",
    )
    .addOption(new Option("--new", "start another session").conflicts("resume"))
    .option("--resume", "reopen a stopped or failed session")
    .option("--max-iterations <n>", "limit of a new session", wholeNumber(1))
    .option("--goal-file <path>", "goal text of a new session")
    .option("--workflow-set <set>", "workflow set of a new session")
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--port <port>", "port to listen on (default: any free one)", wholeNumber(0))
    .addOption(new Option("--ordered").hideHelp())
    .action(dispatch(outcome, "changes", () => import("../commands/coordinator.ts")));
  program
    .command("worker")
    .summary("run a worker alone")
    .description(
      "Runs a worker alone: it executes what the coordinator assigns, in the session's checkout.",
    )
    .option("--coordinator <url>", "a coordinator elsewhere; its worker token is read from stdin")
    .option("--session <id>", "the session to work for", "latest")
    .option("--take-over", "take the seat of a worker of which nothing can be said from here")
    .addOption(new Option("--ordered").hideHelp())
    .action(dispatch(outcome, "changes", () => import("../commands/worker.ts")));
  program
    .command("demo")
    .summary("a whole loop on a scratch repository, offline")
    .description("Runs a whole loop on a scratch repository, offline, in about half a minute.")
    .option("--crash", "kill the worker in mid-agent and show that its agent's work is kept")
    .action(dispatch(outcome, "changes", () => import("../commands/demo.ts")));
}
