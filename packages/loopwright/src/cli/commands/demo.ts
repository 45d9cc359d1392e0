import { formatDuration } from "@loopwright/protocol";
import { runtimeLayout } from "../../store/layout.ts";
import { listSessions } from "../../store/session-lookup.ts";
import type { SessionLayout } from "../../store/session-layout.ts";
import type { Invocation } from "../catalogue/dispatch.ts";
import type { Context } from "../context.ts";
import { crashedIteration, killWorkerInMidAgent, wasAdopted } from "../demo/crash.ts";
import { createScratch, DEMO_GOAL, type Scratch } from "../demo/scratch.ts";
import { step } from "../demo/steps.ts";

/**
 * A whole loop on a scratch repository, offline: real processes, real git, real checks; only the agent is a script.
 * Exit code 0: the goal is met and verified, and with `--crash` the killed worker's agent was adopted.
 */
export async function run(context: Context, { options }: Invocation): Promise<number> {
  const { output } = context;
  const { clock, processes } = context.seams;
  const scratch = createScratch(context.environment);
  const goal = runtimeLayout(scratch.runtimeRoot).goal(DEMO_GOAL);
  const findSession = (): SessionLayout | undefined => {
    const id = listSessions(goal.sessions).at(-1);
    return id === undefined ? undefined : goal.session(id);
  };
  const show = !output.json;

  output.line(
    "A scratch repository with a small program that isn't written yet, tests that fail, and an agent that is a",
  );
  output.line("script: it claims success too early once, and one of its runs fails.");
  output.line(`Everything is in ${scratch.directory}`);
  output.line();
  const place = ["--runtime-root", scratch.runtimeRoot];
  const made = await step(
    scratch,
    ["init", ...place, "--goal-id", DEMO_GOAL, "--agent", "command"],
    false,
  );
  if (made !== 0) return failed(context, scratch);

  const started = clock.monotonic();
  const over = new AbortController();
  const killed =
    options["crash"] === true
      ? killWorkerInMidAgent({ clock, processes, findSession }, over.signal)
      : undefined;
  const announced = killed?.then((pid) => {
    if (pid !== undefined)
      output.line(
        output.style("yellow", `kill -9 ${pid}   the worker, while its agent is at work`),
      );
  });
  const exitCode = await step(scratch, ["run", ...place], show);
  over.abort();
  await announced;
  const elapsed = clock.monotonic() - started;

  const session = findSession();
  if (session === undefined) return failed(context, scratch);
  output.line();
  const disagreements = await step(scratch, ["verify", ...place], show);
  const crashed = (await killed) !== undefined;
  const adopted = crashed && wasAdopted(session);
  if (crashed) {
    output.line(
      adopted
        ? `The killed worker's agent went on alone; the next worker adopted it: ${crashedIteration(session)}`
        : "The killed worker's agent was not adopted.",
    );
  }
  const ok = exitCode === 0 && disagreements === 0 && (options["crash"] !== true || adopted);
  output.line(
    `${ok ? "Goal met and verified" : "The demo did not end as it should"}, after ${formatDuration(elapsed)}. No model was called: it cost nothing.`,
  );
  output.line();
  output.line(`Look again:   loopwright -C ${scratch.repository} timeline`);
  output.line(`Look around:  ${session.directory}`);
  output.line(`  REPORT.md       what was done, and why it stopped`);
  output.line(`  journal.jsonl   every decision`);
  output.line(`  iterations/     each prompt, output and result`);
  output.line(throwAway(scratch));
  output.document({
    ok,
    session: session.directory,
    scratch: scratch.directory,
    crashed,
    adopted,
    duration_ms: Math.round(elapsed),
  });
  return ok ? 0 : 1;
}

/** Nothing came about that could be looked at as a session; what there is stays. */
function failed({ output }: Context, scratch: Scratch): number {
  output.line("The demo did not get as far as a session; its files are kept.");
  output.line(throwAway(scratch));
  output.document({ ok: false, session: null, scratch: scratch.directory });
  return 1;
}

function throwAway({ directory }: Scratch): string {
  return `Throw away:   rm -r ${directory}`;
}
