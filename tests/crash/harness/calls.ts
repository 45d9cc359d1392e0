import { existsSync, readFileSync } from "node:fs";
import type { Fault, Plan } from "../fixtures/faults.ts";

export interface LoggedCall {
  readonly pid: number;
  readonly name: string;
  readonly path: string;
}

/** What a plan's log tells, without a last line that was cut by the death. */
export function readCalls(log: string): LoggedCall[] {
  if (!existsSync(log)) return [];
  return readFileSync(log, "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as LoggedCall);
}

/** Killed at the n-th change of the disk, counted from the first that fits `from`, or from the start. */
export function killAt(n: number, place: Pick<Fault, "from" | "match"> = {}): Plan {
  return { faults: [{ ...place, n, what: { kind: "kill" } }] };
}
