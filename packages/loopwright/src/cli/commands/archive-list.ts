import { type ArchivedGoal, listArchives } from "../../control-plane/archive/index.ts";
import { runtimeLayout } from "../../store/layout.ts";
import type { Context } from "../context.ts";
import { findRegistry } from "../target.ts";

export async function run(context: Context): Promise<number> {
  const { output } = context;
  const { registryPath, runtimeRoot } = findRegistry(context);
  const { archives, bad } = listArchives(runtimeLayout(runtimeRoot));
  output.document({
    registry: registryPath,
    runtime_root: runtimeRoot,
    archives: archives.map(rowOf),
    bad,
  });
  if (archives.length === 0) output.line(`Nothing is archived in ${runtimeRoot}.`);
  const width = Math.max(0, ...archives.map(({ goal_id: id }) => id.length));
  for (const archived of archives) {
    output.line(`${archived.goal_id.padEnd(width)}  ${archived.at ?? "?"}  ${archived.path}`);
    if (archived.unfinished) {
      output.warn(
        `the move of ${archived.name} was cut off; see: loopwright archive ${archived.goal_id}`,
      );
    }
  }
  for (const { reason } of bad) output.warn(reason);
  return 0;
}

function rowOf({ file, ...row }: ArchivedGoal): object {
  return { ...row, source: file?.source ?? null, registry: file?.registry ?? null };
}
