import { rmSync } from "node:fs";
import type { Invocation } from "../catalogue/dispatch.ts";
import { LoopwrightError, plural } from "@loopwright/protocol";
import type { Context } from "../context.ts";
import { checkInSession } from "../check/check-in-session.ts";
import { checkProject } from "../check/check-project.ts";
import { renderReceipt } from "../check/render-receipt.ts";
import { repin, type Repinned } from "../check/repin.ts";
import { renderDiff } from "../diff/diff-texts.ts";
import { listSessions } from "../../store/session-lookup.ts";
import { openSession, type OpenedSession } from "../open-session.ts";
import { findProject } from "../project-target.ts";
import { findGoal, type GoalTarget } from "../target.ts";

/** Exit code 1 unless every required check passes. */
export async function run(context: Context, { options }: Invocation): Promise<number> {
  const { output } = context;
  const interrupted = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => interrupted.abort());
  const project = findProject(context);
  const target = project.goalId === undefined ? undefined : findGoal(context, project.goalId);
  const latest =
    target === undefined || listSessions(target.layout.sessions).length === 0
      ? undefined
      : openSession(target, "latest");
  const wishesPins = (options as { repin?: boolean }).repin === true;
  const repinned = wishesPins ? await pinAnew(context, target, latest) : undefined;
  const more = wishesPins ? { repinned: summary(repinned) } : {};
  // Also of a stopped session, so that what was changed can be seen failing before it goes on.
  const isJournaled = latest?.state.status === "running" || (wishesPins && latest !== undefined);
  if (target !== undefined && isJournaled) {
    const opened = wishesPins ? openSession(target, latest.id) : latest;
    const { receipt, directory, seq } = await checkInSession(
      context,
      target,
      opened,
      interrupted.signal,
    );
    renderReceipt(output, receipt, directory);
    output.line(`Journaled in session ${opened.id}, line ${seq}.`);
    output.document({ session_id: opened.id, seq, directory, receipt, ...more });
    return receipt.outcome === "pass" ? 0 : 1;
  }
  const { receipt, temporary, outputs } = await checkProject(context, project, interrupted.signal);
  if (receipt.checks.length === 0)
    output.line("There are no checks; .loopwright/checks/example.yaml.off shows how to write one.");
  renderReceipt(output, receipt, outputs);
  output.document({ session_id: null, seq: null, directory: null, receipt, ...more });
  rmSync(temporary, { recursive: true, force: true });
  return receipt.outcome === "pass" ? 0 : 1;
}

async function pinAnew(
  context: Context,
  target: GoalTarget | undefined,
  latest: OpenedSession | undefined,
): Promise<Repinned> {
  const { output } = context;
  if (target === undefined || latest === undefined) {
    throw new LoopwrightError("SESSION_NOT_FOUND", "There is no session whose pins could change", {
      hint: "The first one pins the checks as they are then: loopwright run",
    });
  }
  const repinned = await repin(context, target, latest);
  if (repinned.files.length === 0) {
    output.line(`Nothing differs from what session ${latest.id} has pinned.`);
    return repinned;
  }
  renderDiff(output, repinned.diff, repinned.diffPath ?? undefined);
  output.line(
    `Pinned anew in session ${latest.id}, line ${repinned.seq}: ${plural(repinned.files.length, "difference")}.`,
  );
  return repinned;
}

function summary(repinned: Repinned | undefined): object | null {
  if (repinned === undefined || repinned.files.length === 0) return null;
  return { seq: repinned.seq, files: repinned.files, diff_path: repinned.diffPath };
}
