import { createHash } from "node:crypto";

/** A line that continues the journal's chain as if a coordinator had written it. Ends in a newline. */
export function forgedLine(
  journal: string,
  records: readonly object[],
  { epochs = 0 }: { epochs?: number } = {},
): string {
  const last = JSON.parse(journal.trimEnd().split("\n").at(-1) ?? "") as {
    seq: number;
    epoch: number;
    sum: string;
  };
  const line = {
    seq: last.seq + 1,
    at: new Date().toISOString(),
    epoch: last.epoch + epochs,
    prev: last.sum,
    records,
  };
  const sum = createHash("sha256").update(JSON.stringify(line)).digest("hex").slice(0, 16);
  return `${JSON.stringify({ ...line, sum })}\n`;
}
