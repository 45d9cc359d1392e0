import { type Command, Option } from "commander";
import { dispatch } from "./dispatch.ts";
import { freeText } from "./free-text.ts";
import { raise } from "./numbers.ts";

export function addSteeringCommands(program: Command, outcome: { exitCode: number }): void {
  program.commandsGroup("Steer:");
  program
    .command("update")
    .argument("<text...>", "what the agents should know")
    .exitOverride(freeText)
    .summary("guidance for the running loop: in every prompt until it is disposed of")
    .description(
      "Gives guidance. It stands in every prompt until a succeeded iteration disposes of it.",
    )
    .action(dispatch(outcome, "changes", () => import("../commands/update.ts")));
  program
    .command("answer")
    .argument("<id>", "of the question, as status shows it")
    .argument("<text...>", "the answer")
    .exitOverride(freeText)
    .summary("answer a question of an agent")
    .description(
      "Answers a question. What waited for it goes on, and the answer stands in every prompt until it is disposed of.",
    )
    .action(dispatch(outcome, "changes", () => import("../commands/answer.ts")));
  program
    .command("stop")
    .summary("stop after this iteration, now, or by force")
    .description(
      "Stops after this iteration; with --now, ends the agent first; with --kill, the coordinator ends it itself.",
    )
    .addOption(new Option("--now", "end the agent, record it as cancelled").conflicts("kill"))
    .option("--kill", "the same, for a worker that doesn't answer")
    .option("--reason <text>", "why, for the journal")
    .action(dispatch(outcome, "changes", () => import("../commands/stop.ts")));
  program
    .command("pause")
    .summary("launch nothing after this iteration, until resume")
    .description(
      "Lets the running iteration end and launches nothing after it, until resume. Survives restarts.",
    )
    .option("--reason <text>", "why, for the journal")
    .action(dispatch(outcome, "changes", () => import("../commands/pause.ts")));
  program
    .command("resume")
    .summary("go on with a paused, stopped or failed session")
    .description(
      "Goes on with a paused, stopped or failed session, with raised limits or without, and runs it.",
    )
    .option("--max-iterations <n>", "+N more iterations, or a new limit", raise("whole"))
    .option("--max-cost-usd <n>", "+N more dollars, or a new limit", raise("money"))
    .option("--max-tokens <n>", "+N more tokens, or a new limit", raise("whole"))
    .option("--max-wall-clock <time>", "+TIME more (+2h), or a new limit (10h)", raise("time"))
    .option(
      "--reload",
      "show what differs in the present configuration and workflows, ask, and take them",
    )
    .option("--yes", "with --reload: don't ask")
    .option("--take-over", "take the seat of a worker of which nothing can be said from here")
    .action(dispatch(outcome, "changes", () => import("../commands/resume.ts")));
}
