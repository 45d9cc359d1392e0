import { statSync } from "node:fs";
import { relative } from "node:path";
import type { JournalLine, JournalRecord, RecordData } from "@loopwright/protocol";
import type { Context } from "../context.ts";
import { findIteration } from "../find-iteration.ts";
import type { IterationLayout } from "../../store/iteration-layout.ts";
import type { OpenedSession } from "../open-session.ts";
import { describeFinished } from "../../read-api/words/describe-outcome.ts";
import { describeRecord } from "../../read-api/words/describe-record.ts";
import { oneLine, printable } from "../../read-api/words/printable.ts";

/** One iteration: how it came about, how it ended, what its report says, what followed, and where its files are. */
export function showIteration(
  { output }: Context,
  opened: OpenedSession,
  iteration: number,
): number {
  const files = findIteration(opened, iteration);
  const records = recordsOf(opened.lines, iteration);
  const finished = records.find((record) => record.type === "task_finished");
  output.line(`Iteration ${iteration} of session ${opened.id}`);
  for (const record of records) {
    if (record.type === "task_finished") continue;
    const { text, below = [] } = describeRecord(record);
    output.line(`  ${text}`);
    for (const extra of below) output.line(`    ${extra}`);
  }
  if (finished !== undefined) for (const line of finishedLines(finished.data)) output.line(line);
  output.line();
  output.line(`files   ${files.directory}`);
  output.line(`        ${namesOf(files).join("  ")}`);
  output.document({ session_id: opened.id, iteration, directory: files.directory, records });
  return 0;
}

/** What is there of an iteration's files, below its directory. */
function namesOf({ directory, ...files }: IterationLayout): string[] {
  return Object.values(files).flatMap((path) => {
    const found = typeof path === "string" ? statSync(path, { throwIfNoEntry: false }) : undefined;
    if (typeof path !== "string" || found === undefined) return [];
    return [`${relative(directory, path)}${found.isDirectory() ? "/" : ""}`];
  });
}

/** What the journal says about one iteration, the verification that followed it included. */
function recordsOf(lines: readonly JournalLine[], iteration: number): JournalRecord[] {
  return lines
    .flatMap(({ records }) => records)
    .filter(({ data }) => "iteration" in data && data.iteration === iteration);
}

function finishedLines(data: RecordData<"task_finished">): string[] {
  const { report, changes, exit } = data;
  const lines = [`  ${describeFinished(data).text}`];
  lines.push(
    `  agent ${data.agent}, exit ${exit.code ?? exit.signal ?? "unknown"}, outcome ${data.outcome}${data.cause === undefined ? "" : ` (${data.cause})`}`,
  );
  if (data.evidence !== undefined) lines.push(`  evidence: ${oneLine(data.evidence, 300)}`);
  if (data.failure !== undefined) lines.push(`  failure: ${oneLine(data.failure, 300)}`);
  if (changes !== null)
    lines.push(
      `  tree ${changes.tree_digest_before?.slice(0, 12) ?? "?"} -> ${changes.tree_digest?.slice(0, 12) ?? "?"}, head ${changes.head_before?.slice(0, 12) ?? "?"} -> ${changes.head_after?.slice(0, 12) ?? "?"}`,
    );
  if (report.state !== "valid")
    return [
      ...lines,
      `  report: ${report.state}${report.state === "invalid" ? `, ${oneLine(report.reason, 200)}` : ""}`,
    ];
  const { summary, recommended_action, evidence, blockers, learned } = report.value;
  lines.push(
    "",
    ...printable(summary)
      .split("\n")
      .map((line) => `  ${line}`),
  );
  if (recommended_action !== undefined)
    lines.push(`  recommended: ${oneLine(recommended_action, 300)}`);
  for (const item of evidence)
    lines.push(
      `  evidence: ${oneLine(item.claim, 200)}${item.command === undefined ? "" : ` [${oneLine(item.command, 100)}]`}`,
    );
  for (const blocker of blockers) lines.push(`  blocker: ${oneLine(blocker, 300)}`);
  for (const lesson of learned) lines.push(`  learned: ${oneLine(lesson, 300)}`);
  return lines;
}
