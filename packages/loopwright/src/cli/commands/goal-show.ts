import type { Invocation } from "../catalogue/dispatch.ts";
import type { Context } from "../context.ts";
import { describeGoal } from "../describe-goal.ts";
import { oneLine } from "../../read-api/words/printable.ts";
import { findGoal } from "../target.ts";

export async function run(context: Context, { args }: Invocation): Promise<number> {
  const { output } = context;
  const target = findGoal(context, args[0] as string | undefined);
  const goal = describeGoal(target);
  output.document({
    registry: target.registryPath,
    runtime_root: target.runtimeRoot,
    goal,
    registered: target.goal,
  });
  const { state, reason } = goal.activation;
  output.line(`${output.style("bold", goal.id)}  ${state}${reason === "" ? "" : `: ${reason}`}`);
  if (goal.title !== "") output.line(oneLine(goal.title, 100));
  output.line(`repository  ${goal.repository}${goal.repository_exists ? "" : "  (gone)"}`);
  output.line(`registry    ${target.registryPath}`);
  output.line(`data        ${goal.archive_path ?? goal.directory}`);
  return 0;
}
