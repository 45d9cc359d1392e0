import { join } from "node:path";
import { formatDuration, type Receipt } from "@loopwright/protocol";
import { readTail } from "../../evaluation/index.ts";
import type { Output } from "../output/output.ts";
import { oneLine, printable } from "../../read-api/words/printable.ts";

const SHOWN_LINES = 15;

/** A receipt, with the end of the output of what didn't pass. */
export function renderReceipt(output: Output, receipt: Receipt, directory: string): void {
  for (const { path, found, aside } of receipt.replaced) {
    output.line(
      `put back  ${oneLine(path, 100)} (${found})${aside === null ? "" : `; what was there is in ${join(directory, aside)}`}`,
    );
  }
  for (const check of receipt.checks) {
    const colour = { pass: "green", fail: "red", error: "yellow" } as const;
    const optional = check.required ? "" : " (optional)";
    output.line(
      `${output.style(colour[check.outcome], check.outcome.padEnd(5))}     ${check.id}${optional}, ${formatDuration(check.duration_ms)}${check.detail === "" ? "" : `: ${oneLine(check.detail, 160)}`}`,
    );
    if (check.outcome === "pass" || check.output === null) continue;
    for (const line of endOf(join(directory, check.output))) output.line(`            ${line}`);
  }
  if (receipt.tree_changed) output.line("A check changed the work tree while it ran.");
  for (const { command, pid, ended } of receipt.leftovers)
    output.line(`left running: ${oneLine(command, 80)} (process ${pid})${ended ? ", ended" : ""}`);
  output.line(
    `${receipt.outcome} at tree ${receipt.tree_digest.slice(0, 12)}, commit ${receipt.commit?.slice(0, 12) ?? "none"}`,
  );
}

function endOf(path: string): string[] {
  const lines = printable(readTail(path, 4096)).trimEnd().split("\n");
  return lines.filter((line) => line.trim() !== "").slice(-SHOWN_LINES);
}
