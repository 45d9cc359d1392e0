import { expect } from "vitest";
import type { Row } from "../../crash/harness/process-table.ts";
import type { Scratch } from "./scratch.ts";
import { report, type Step } from "./steps.ts";

/** An agent that says so when it starts, and ends its iteration when the test lets it. */
export function held(scratchFile: string, ...then: Step[]): Step[] {
  return [{ waitForFile: scratchFile }, report(), ...then];
}

/** The children of a run, whoever started it. */
export function crew(of: Scratch, role: "coordinator" | "worker"): Row[] {
  return of
    .processes()
    .filter((row) => row.arguments.includes(role) && row.arguments.includes("--ordered"));
}

export function types(of: Scratch): string[] {
  return of
    .session()
    .records()
    .map(({ type }) => type);
}

export async function verified(of: Scratch): Promise<void> {
  const called = await of.call(["verify"]);
  expect(called.stdout).toContain("everything agrees");
  expect(called.code).toBe(0);
}
