import { registryGoals } from "../../control-plane/registry.ts";
import { timestamp } from "../../seams/clock.ts";
import type { Invocation } from "../catalogue/dispatch.ts";
import type { Context } from "../context.ts";
import { goalStatusOf } from "../../read-api/goal-status.ts";
import { type GoalView, viewGoal } from "../status/goal-view.ts";
import { renderGoal, renderGoals } from "../status/render.ts";
import { projectRegistries } from "../status/project-registries.ts";
import { findGoal, findRegistry, goalTarget } from "../target.ts";

interface StatusOptions {
  readonly all?: boolean;
  readonly watch?: boolean;
}

export async function run(context: Context, { args, options }: Invocation): Promise<number> {
  const { all = false, watch = false } = options as StatusOptions;
  const named = args[0] as string | undefined;
  let shown = "";
  do {
    const text = await show(context, named ?? context.goalFlag, all);
    if (text !== shown) context.output.line(shown === "" ? text : `\n${text}`);
    shown = text;
    if (watch) await context.seams.clock.sleep(1000);
  } while (watch && !context.output.json);
  return 0;
}

async function show(context: Context, named: string | undefined, all: boolean): Promise<string> {
  const { output } = context;
  if (named !== undefined) {
    const view = await viewGoal(context, findGoal(context, named));
    output.document(wholeGoal(context, view));
    return renderGoal(context, view);
  }
  const target = findRegistry(context);
  const registries = all ? projectRegistries(context, target) : [target];
  const views: GoalView[] = [];
  for (const registry of registries) {
    for (const goal of registryGoals(registry.registry))
      views.push(await viewGoal(context, goalTarget(registry, goal)));
  }
  output.document({
    generated_at: timestamp(context.seams.clock),
    registry: target.registryPath,
    runtime_root: target.runtimeRoot,
    goals: views.map((view) =>
      all ? { ...goalStatusOf(view), registry: view.target.registryPath } : goalStatusOf(view),
    ),
  });
  const [only] = views;
  return views.length === 1 && only !== undefined
    ? renderGoal(context, only)
    : renderGoals(context, views, target.registryPath);
}

function wholeGoal(context: Context, view: GoalView): object {
  return {
    generated_at: timestamp(context.seams.clock),
    registry: view.target.registryPath,
    runtime_root: view.target.runtimeRoot,
    goal: {
      ...goalStatusOf(view),
      title: view.title,
      next_action: view.nextAction,
      repository: view.target.repository,
      directory: view.target.layout.directory,
      sessions: view.sessions,
      coordinator: view.coordinator,
      attention: view.attention,
      stop_detail: view.session?.stop_detail ?? null,
      paused: view.session?.paused ?? null,
      stop_requested: view.session?.stop_requested ?? null,
      task: view.session?.task ?? null,
      last: view.session?.last ?? null,
      spent: view.session?.spent ?? null,
      limits: view.session?.limits ?? null,
      checks: view.session?.gate.last ?? null,
      inputs: view.session?.inputs ?? [],
    },
  };
}
