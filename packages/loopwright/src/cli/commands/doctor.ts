import { LoopwrightError } from "@loopwright/protocol";
import type { Invocation } from "../catalogue/dispatch.ts";
import type { Context } from "../context.ts";
import type { Diagnosis } from "../doctor/finding.ts";
import { diagnoseGoal } from "../doctor/goals.ts";
import { diagnoseMachine } from "../doctor/machine.ts";
import { findRegistry, goalTarget } from "../target.ts";

/** Exit code 1 while a problem remains. */
export async function run(context: Context, { options }: Invocation): Promise<number> {
  const { output } = context;
  const { fix = false, takeOver = false } = options as { fix?: boolean; takeOver?: boolean };
  if (fix && (context.environment["LOOPWRIGHT_ATTEMPT"] ?? "") !== "") {
    throw new LoopwrightError("INSIDE_ATTEMPT", "An agent can't repair what watches it", {
      hint: "Run it without --fix to look.",
    });
  }
  const registry = findRegistry(context);
  const diagnoses = [
    ...(await diagnoseMachine(context, registry)),
    ...registry.registry.goals.flatMap((goal) =>
      diagnoseGoal(context, goalTarget(registry, goal), fix && takeOver),
    ),
  ];
  const done: (Omit<Diagnosis, "fix"> & { fixed: string | null })[] = [];
  for (const { fix: repair, ...diagnosis } of diagnoses) {
    const fixed = fix && repair !== undefined ? await repair() : null;
    done.push({ ...diagnosis, fixed });
    const mark = output.style(
      { ok: "green", warning: "yellow", problem: "red" }[diagnosis.state] as "green",
      diagnosis.state.padEnd(8),
    );
    output.line(`${mark} ${diagnosis.what}: ${diagnosis.finding}`);
    if (fixed !== null) output.line(`         fixed: ${fixed}`);
    else if (diagnosis.hint !== undefined) output.line(`         ${diagnosis.hint}`);
    else if (repair !== undefined) output.line("         Repair it with: loopwright doctor --fix");
  }
  const open = done.filter(({ state, fixed }) => state === "problem" && fixed === null);
  output.document({ ok: open.length === 0, diagnoses: done });
  return open.length === 0 ? 0 : 1;
}
