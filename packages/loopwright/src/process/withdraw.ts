import { SCHEMA_VERSION } from "@loopwright/protocol";
import { type Clock, timestamp } from "../seams/clock.ts";
import { readProcessFile } from "./attempt-files.ts";
import { createRecord, noStep, type Step } from "./durable-record.ts";

/**
 * Recovery's side of the race for `process.json`. `withdrawn`: durable, the agent never started and never will,
 * whenever its shim wakes. `started`: the shim was first; `process.json` is complete.
 * May be repeated after a crash with the same answer.
 */
export function withdraw(
  processPath: string,
  clock: Pick<Clock, "wall">,
  step: Step = noStep,
): "withdrawn" | "started" {
  const record = {
    schema_version: SCHEMA_VERSION,
    withdrawn: true,
    withdrawn_at: timestamp(clock),
  };
  if (createRecord(processPath, record, step)) return "withdrawn";
  const found = readProcessFile(processPath);
  return found !== undefined && "withdrawn" in found ? "withdrawn" : "started";
}
