import { existsSync, realpathSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { LoopwrightError, plural } from "@loopwright/protocol";
import { validateGoalId } from "../../control-plane/goal-id.ts";
import { importedGoal } from "../../control-plane/loopx/imported-goal.ts";
import { openLoopxGoal } from "../../control-plane/loopx/open-loopx.ts";
import { expandHome } from "../../control-plane/registry-path.ts";
import { timestamp } from "../../seams/clock.ts";
import type { Invocation } from "../catalogue/dispatch.ts";
import type { Context } from "../context.ts";
import { chooseAgent } from "../init/agent-choice.ts";
import { plannedFiles } from "../init/planned-files.ts";
import { createImported, type Importing } from "../create-imported.ts";
import { openRegistry } from "../target.ts";
import { templateName } from "../templates.ts";

interface ImportOptions {
  readonly execute?: boolean;
  readonly as?: string;
  readonly template?: string;
  readonly agent?: string;
  readonly loopxRuntimeRoot?: string;
}

export async function run(context: Context, { args, options: given }: Invocation): Promise<number> {
  const options = given as ImportOptions;
  const { output } = context;
  const fromHere = (path: string): string => resolve(context.cwd, expandHome(path, context.home));
  const source = openLoopxGoal({
    path: fromHere((args[0] as string | undefined) ?? "."),
    runtimeRoot:
      options.loopxRuntimeRoot === undefined ? undefined : fromHere(options.loopxRuntimeRoot),
    goalId: context.goalFlag,
    home: context.home,
  });
  if (statSync(source.repository, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new LoopwrightError("REPOSITORY_MISSING", `${source.repository} is not a directory`, {
      hint: "It is what the LoopX registry names as the goal's repository.",
    });
  }
  const root = realpathSync(source.repository);
  const registryPath = join(root, ".loopwright", "registry.json");
  const target = openRegistry(context, registryPath);
  const goalId = validateGoalId(options.as ?? source.id);
  const goal = importedGoal(source, goalId, timestamp(context.seams.clock));
  const template = options.template === undefined ? undefined : templateName(options.template);
  const agent = chooseAgent(options.agent, context.environment["PATH"] ?? "");
  const files = plannedFiles(root, template, agent);
  files.set(".loopwright/goal.md", goal.goalText);
  const importing: Importing = { root, target, goalId, goal, files };

  const execute = options.execute ?? false;
  const made = execute ? await createImported(context, importing) : undefined;
  const names = [...files.keys()];
  const created = made?.created ?? names.filter((name) => !existsSync(join(root, name)));
  const kept = made?.kept ?? names.filter((name) => existsSync(join(root, name)));
  output.document({
    goal_id: goalId,
    source: { goal_id: source.id, state_file: source.stateFile, runs: source.runs.length },
    project: root,
    registry: registryPath,
    runtime_root: target.runtimeRoot,
    dry_run: !execute,
    created,
    kept,
    todos: source.state?.todos.length ?? 0,
    runs: goal.runs.length,
    skipped_runs: goal.skipped,
    bad_lines: source.badLines,
  });
  const verb = execute ? "created" : "would create";
  output.line(`LoopX goal ${source.id} as ${goalId} in ${root}`);
  for (const name of created) output.line(`  ${verb}  ${name}`);
  for (const name of kept) output.line(`  kept     ${name}`);
  output.line(
    `  ${plural(source.state?.todos.length ?? 0, "todo")}, ${plural(goal.runs.length, "run")}${goal.skipped > 0 ? `, ${plural(goal.skipped, "run")} left out: their times can't be read` : ""}`,
  );
  output.line("Nothing of LoopX's own files is changed.");
  if (!execute) output.line("Do it with: the same command and --execute");
  else output.line("Next: look at .loopwright/goal.md, write checks, then: loopwright validate");
  return 0;
}
