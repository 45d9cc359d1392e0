import { type Command, Option } from "commander";
import { dispatch } from "./dispatch.ts";

export function addPlanCommands(program: Command, outcome: { exitCode: number }): void {
  program
    .command("refresh")
    .argument("[goal]", "the goal")
    .summary("read a goal's state anew, and note what to do next")
    .description(
      "Reads ACTIVE_STATE.md and the newest report, chooses what to do next, and notes it as a run. " +
        "An edited state is taken up by it.",
    )
    .option("--recommended-action <text>", "what to do next, instead of what report and state say")
    .option("--next-action <text>", "make this the next action first")
    .option("--classification <word>", "what the run is noted as", "refreshed")
    .option("--dry-run", "only show it")
    .action(dispatch(outcome, "changes", () => import("../commands/refresh.ts")));
  program
    .command("drift")
    .argument("[goal]", "the goal")
    .summary("what of a goal disagrees: plan and runs, files, processes, git")
    .description(
      "Shows everything of a goal that should agree and doesn't. With both texts, compares just these two.",
    )
    .option("--next-action <text>", "one text")
    .option("--recommended-action <text>", "the other")
    .action(dispatch(outcome, "reads", () => import("../commands/drift.ts")));
  program
    .command("resolve")
    .argument("[goal]", "the goal")
    .summary("settle a mismatch: the next action stands, or the last run's word does")
    .description("Settles a mismatch between the next action and what the last run recommends.")
    .addOption(
      new Option("--take <side>", "state: the next action stands; run: the recommendation does")
        .choices(["state", "run"])
        .makeOptionMandatory(),
    )
    .option("--note <text>", "why, for the journal")
    .action(dispatch(outcome, "changes", () => import("../commands/resolve.ts")));
}
