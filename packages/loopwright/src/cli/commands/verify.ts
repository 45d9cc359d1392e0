import { plural } from "@loopwright/protocol";
import type { Invocation } from "../catalogue/dispatch.ts";
import type { Context } from "../context.ts";
import { openSession } from "../open-session.ts";
import { holderOf } from "../../control-plane/projection/index.ts";
import { findGoal } from "../target.ts";
import { fileFindings } from "../verify/file-findings.ts";
import { gitFindings } from "../verify/git-findings.ts";
import { journalFindings } from "../verify/journal-findings.ts";
import { processFindings } from "../verify/process-findings.ts";

/** Exit code 1 with any disagreement. */
export async function run(context: Context, { args }: Invocation): Promise<number> {
  const { output, seams } = context;
  const target = findGoal(context);
  // Before the journal is read: what a living coordinator appends meanwhile is no disagreement.
  const live = holderOf(target.layout.lock, seams.processes).liveness === "alive";
  const opened = openSession(target, String(args[0]));
  const findings = [
    ...journalFindings(opened),
    ...fileFindings(target, opened, live),
    ...processFindings(context, target, opened),
    ...(await gitFindings(opened)),
  ];
  for (const { source, where, message } of findings) output.line(`${source}: ${where}: ${message}`);
  const records = opened.lines.reduce((count, line) => count + line.records.length, 0);
  const notes =
    opened.loaded.ignored.length === 0
      ? ""
      : `; ${plural(opened.loaded.ignored.length, "line")} of replaced coordinators not in force`;
  output.line(
    `${opened.id}: ${plural(opened.lines.length, "line")} with ${plural(records, "record")} decided again${notes}; ` +
      (findings.length === 0 ? "everything agrees" : plural(findings.length, "disagreement")),
  );
  output.document({
    session_id: opened.id,
    ok: findings.length === 0,
    lines: opened.lines.length,
    records,
    ignored: opened.loaded.ignored.length,
    findings,
  });
  return findings.length === 0 ? 0 : 1;
}
