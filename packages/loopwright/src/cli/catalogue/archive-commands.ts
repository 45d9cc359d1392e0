import type { Command } from "commander";
import { dispatch } from "./dispatch.ts";

export function addArchiveCommands(program: Command, outcome: { exitCode: number }): void {
  const archive = program
    .command("archive")
    .argument("[goal]", "the goal to archive")
    .summary("move a goal's data out of the way, list what was, bring it back")
    .description(
      "Moves all data of a goal into the archive. Shows what would happen, and the command that does exactly that; " +
        "with --execute it is done.",
    )
    .option("--execute", "do it")
    .option("--to <path>", "the exact place, as shown before")
    .option("--archive-root <dir>", "where to put it (default: archived-goals in the runtime root)")
    .option("--allow-registered", "also a goal that stands in the registry")
    .action(dispatch(outcome, "changes", () => import("../commands/archive.ts")));
  archive
    .command("list")
    .summary("what is archived")
    .description("Lists the archived goals of the runtime root.")
    .action(dispatch(outcome, "reads", () => import("../commands/archive-list.ts")));
  archive
    .command("restore")
    .argument("<name>", "the archive's name or path, or the goal's id")
    .summary("bring an archived goal back")
    .description(
      "Moves an archived goal back among the goals. Shows what would happen; with --execute it is done.",
    )
    .option("--execute", "do it")
    .action(dispatch(outcome, "changes", () => import("../commands/archive-restore.ts")));
}
