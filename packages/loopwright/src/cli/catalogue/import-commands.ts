import type { Command } from "commander";
import { dispatch } from "./dispatch.ts";

export function addImportCommands(program: Command, outcome: { exitCode: number }): void {
  const imports = program
    .command("import")
    .summary("make a Loopwright project of a foreign one")
    .description("Reads a foreign project and makes a Loopwright project of it.");
  imports
    .command("loopx")
    .argument("[path]", "the project, or its .loopx/registry.json (default: here)")
    .summary("a goal of a LoopX project")
    .description(
      "Makes a Loopwright project of a LoopX goal: goal text, todos, next action, runs. Shows what it would create; with " +
        "--execute it does. LoopX's own files are only read. Where the registry lists several goals, --goal says which.",
    )
    .option("--as <id>", "its id here (default: the same)")
    .option("--template <name>", "workflows, as for init")
    .option("--agent <name>", "agent, as for init")
    .option(
      "--loopx-runtime-root <dir>",
      "where LoopX keeps its runs (default: as its registry says)",
    )
    .option("--execute", "do it")
    .action(dispatch(outcome, "changes", () => import("../commands/import-loopx.ts")));
}
