import type { Context } from "../context.ts";
import { describeGoal } from "../describe-goal.ts";
import { oneLine } from "../../read-api/words/printable.ts";
import { findRegistry, goalTarget } from "../target.ts";

export async function run(context: Context): Promise<number> {
  const { output } = context;
  const target = findRegistry(context);
  const goals = target.registry.goals.map((goal) => describeGoal(goalTarget(target, goal)));
  output.document({ registry: target.registryPath, runtime_root: target.runtimeRoot, goals });
  if (goals.length === 0) output.line(`No goals in ${target.registryPath}. Run: loopwright init`);
  const width = Math.max(0, ...goals.map(({ id }) => id.length));
  for (const { id, activation, repository, title } of goals) {
    const line = `${id.padEnd(width)}  ${activation.state.padEnd(8)}  ${repository}  ${oneLine(title, 60)}`;
    output.line(line.trimEnd());
  }
  return 0;
}
