import type { Command } from "commander";
import { dispatch } from "./dispatch.ts";

export function addGoalCommands(program: Command, outcome: { exitCode: number }): void {
  program.commandsGroup("Goals:");
  const goal = program
    .command("goal")
    .summary("the goals of the registry: add, list, show, disable, enable, adopt")
    .description("Lists and changes the goals of the registry.");
  goal
    .command("add")
    .argument("[goal]", "its id (default: <folder>-<4 hex>)")
    .summary("register a repository that has a loopwright.yaml")
    .description(
      "Registers a repository that has a loopwright.yaml, in the registry in force, which may be one of several projects.",
    )
    .option("--repo <dir>", "the repository (default: the one around the current directory)")
    .option("--title <text>", "its title (default: that of the goal text)")
    .option("--config <name>", "its configuration", "loopwright.yaml")
    .action(dispatch(outcome, "changes", () => import("../commands/goal-add.ts")));
  goal
    .command("list")
    .summary("every goal, whether it is active, and where")
    .description("Lists the goals of the registry: id, whether it is active, repository.")
    .action(dispatch(outcome, "reads", () => import("../commands/goal-list.ts")));
  goal
    .command("show")
    .argument("[goal]", "the goal")
    .summary("one goal as it is registered")
    .description("Shows a goal as it is registered, and where its data lies.")
    .action(dispatch(outcome, "reads", () => import("../commands/goal-show.ts")));
  goal
    .command("disable")
    .argument("<goal>", "the goal")
    .summary("start nothing of it")
    .description("Nothing of the goal is started until it is enabled; what runs goes on.")
    .option("--reason <text>", "why, for whoever looks")
    .action(dispatch(outcome, "changes", () => import("../commands/goal-disable.ts")));
  goal
    .command("enable")
    .argument("<goal>", "the goal")
    .summary("take its disabling back")
    .description("Takes the disabling of a goal back.")
    .action(dispatch(outcome, "changes", () => import("../commands/goal-enable.ts")));
  goal
    .command("adopt")
    .argument("<goal>", "the goal")
    .summary("after its repository was moved: say where it is now")
    .description(
      "Ties a goal to this registry and repository after they were moved. Refused while the old registry still lists it.",
    )
    .option("--repo <dir>", "the repository (default: the one around the current directory)")
    .action(dispatch(outcome, "changes", () => import("../commands/goal-adopt.ts")));
}
