import { runRow, type RunRow } from "@loopwright/protocol";
import { type BadLine, readRows } from "../../store/line-file.ts";

export interface RunIndex {
  /** As they were appended, oldest first; of rows with one id the first. */
  readonly rows: readonly RunRow[];
  /** Lines that are no rows, by number. */
  readonly bad: readonly BadLine[];
}

/** `runs.jsonl`. A missing file is an empty index. Throws FILE_UNSAFE for what can't be one. */
export function readRunIndex(path: string): RunIndex {
  const rows = new Map<string, RunRow>();
  const { bad } = readRows(path, (value) => {
    const parsed = runRow.safeParse(value);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      return `is no run (${[...(issue?.path ?? [])].join(".") || "the whole line"}: ${issue?.message ?? "?"})`;
    }
    if (!rows.has(parsed.data.run_id)) rows.set(parsed.data.run_id, parsed.data);
    return undefined;
  });
  return { rows: [...rows.values()], bad };
}
