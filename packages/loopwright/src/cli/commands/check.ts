import { rmSync } from "node:fs";
import type { Context } from "../context.ts";
import { checkInSession } from "../check/check-in-session.ts";
import { checkProject } from "../check/check-project.ts";
import { renderReceipt } from "../check/render-receipt.ts";
import { listSessions } from "../../store/session-lookup.ts";
import { openSession } from "../open-session.ts";
import { findProject } from "../project-target.ts";
import { findGoal } from "../target.ts";

/** Exit code 1 unless every required check passes. */
export async function run(context: Context): Promise<number> {
  const { output } = context;
  const interrupted = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => interrupted.abort());
  const project = findProject(context);
  if (project.goalId !== undefined) {
    const target = findGoal(context, project.goalId);
    const opened =
      listSessions(target.layout.sessions).length === 0 ? undefined : openSession(target, "latest");
    if (opened?.state.status === "running") {
      const { receipt, directory, seq } = await checkInSession(
        context,
        target,
        opened,
        interrupted.signal,
      );
      renderReceipt(output, receipt, directory);
      output.line(`Journaled in session ${opened.id}, line ${seq}.`);
      output.document({ session_id: opened.id, seq, directory, receipt });
      return receipt.outcome === "pass" ? 0 : 1;
    }
  }
  const { receipt, temporary, outputs } = await checkProject(context, project, interrupted.signal);
  if (receipt.checks.length === 0)
    output.line("There are no checks; .loopwright/checks/example.yaml.off shows how to write one.");
  renderReceipt(output, receipt, outputs);
  output.document({ session_id: null, seq: null, directory: null, receipt });
  rmSync(temporary, { recursive: true, force: true });
  return receipt.outcome === "pass" ? 0 : 1;
}
