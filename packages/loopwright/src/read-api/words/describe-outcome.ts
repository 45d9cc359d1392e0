import { formatDuration, plural, type RecordData } from "@loopwright/protocol";
import type { Described } from "./describe-record.ts";
import { money, tokens } from "./numbers.ts";
import { oneLine } from "./printable.ts";

/** `iteration 3: inner succeeded in 4m 05s, 3 files +40 -2, 12k tokens, $0.31`. */
export function describeFinished(data: RecordData<"task_finished">): Described {
  const { changes, report } = data;
  const facts = [
    ...(changes !== null && changes.files_changed > 0
      ? [`${plural(changes.files_changed, "file")} +${changes.insertions} -${changes.deletions}`]
      : ["no changes"]),
    ...(data.usage === null ? [] : [tokens(data.usage)]),
    ...(data.cost_usd === null ? [] : [money(data.cost_usd)]),
    ...(data.denials > 0 ? [plural(data.denials, "denial")] : []),
    ...(data.recovered ? ["recorded after a crash"] : []),
  ];
  const verdict = data.succeeded ? "succeeded" : `did not succeed (${outcomeOf(data)})`;
  const below = [
    ...(data.failure === undefined ? [] : [oneLine(data.failure, 200)]),
    ...(report.state === "valid" ? [oneLine(report.value.summary, 200)] : []),
    ...(report.state === "invalid"
      ? [`its report is not valid: ${oneLine(report.reason, 160)}`]
      : []),
    ...data.leftovers.map(
      (left) =>
        `left running: ${oneLine(left.command, 80)} (process ${left.pid}), ${left.ended ? "ended" : "still there"}`,
    ),
  ];
  return {
    weight: "main",
    text: `iteration ${data.iteration}: ${data.workflow_id} ${verdict} in ${formatDuration(data.duration_ms)}, ${facts.join(", ")}`,
    below,
  };
}

/** `verification passed (reused)`, and the checks that didn't. */
export function describeReceipt(data: RecordData<"verification_finished">): Described {
  const { receipt } = data;
  const name = data.kind === "baseline" ? "baseline" : `verification (${data.kind})`;
  if (receipt === null) {
    return {
      weight: "main",
      text: `${name} could not be made: ${oneLine(data.problem ?? "unknown", 160)}`,
    };
  }
  const said = { pass: "passed", fail: "failed", error: "could not tell" }[receipt.outcome];
  const notes = [
    ...(receipt.reused === null ? [] : ["the same tree was verified before"]),
    ...(receipt.replaced > 0 ? [`${plural(receipt.replaced, "protected file")} put back`] : []),
  ];
  return {
    weight: "main",
    text: `${name} ${said}${notes.length === 0 ? "" : ` (${notes.join("; ")})`}, ${formatDuration(data.live_ms)}`,
    below: receipt.checks.map((check) => {
      const detail =
        check.detail === undefined || check.detail === "" ? "" : `: ${oneLine(check.detail, 140)}`;
      return `${check.outcome.padEnd(5)} ${check.id}${check.required ? "" : " (optional)"}${detail}`;
    }),
  };
}

function outcomeOf({ outcome, cause, exit }: RecordData<"task_finished">): string {
  const how =
    exit.signal === null
      ? exit.code === null
        ? ""
        : `, exit ${exit.code}`
      : `, signal ${exit.signal}`;
  return `${outcome}${cause === undefined ? "" : `/${cause}`}${how}`;
}
