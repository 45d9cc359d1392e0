import { runRow, type RunRow } from "@loopwright/protocol";
import { type BadLine, readRows } from "../../store/line-file.ts";

export interface RunIndex {
  /** As they were appended, oldest first; of rows with one id the first. */
  readonly rows: readonly RunRow[];
  /** Lines that are no rows, by number. */
  readonly bad: readonly BadLine[];
}

/** `runs.jsonl`. A missing file is an empty index. */
export function readRunIndex(path: string): RunIndex {
  const { rows: found, lineNumbers, bad } = readRows(path);
  const rows = new Map<string, RunRow>();
  const strange: BadLine[] = [];
  for (const [index, value] of found.entries()) {
    const parsed = runRow.safeParse(value);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      const reason = `is no run (${[...(issue?.path ?? [])].join(".") || "the whole line"}: ${issue?.message ?? "?"})`;
      strange.push({ lineNumber: lineNumbers[index] ?? 0, reason });
    } else if (!rows.has(parsed.data.run_id)) rows.set(parsed.data.run_id, parsed.data);
  }
  return {
    rows: [...rows.values()],
    bad: [...bad, ...strange].toSorted((a, b) => a.lineNumber - b.lineNumber),
  };
}
