import type { ProjectedSession } from "@loopwright/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { goalStatusOf } from "./goal-status.ts";

const AT = "2026-01-01T00:00:00.000Z";
/** With long numbers and names. */
const session = {
  session_id: "20260101T000000Z-abcdef",
  status: "running",
  stop_reason: null,
  verified: null,
  iterations: 99_999,
  limits: { max_iterations: 100_000, max_cost_usd: 12_345.67 },
  spent: { cost_usd: 1234.567_890_1, unknown_cost: 123 },
  task: { kind: "workflow", iteration: 99_999, workflow_id: "evaluation_reviewer", started_at: AT },
  gate: {
    last: {
      directory: "evaluations/99998-1",
      receipt: { checks: Array.from({ length: 10 }, () => ({ outcome: "pass" })) },
    },
  },
  hold_until: AT,
  updated_at: AT,
} as unknown as ProjectedSession;

test("a goal is never more than 500 bytes of JSON, whatever its texts and names", () => {
  const text = fc.string({ unit: "binary", maxLength: 400 });
  const kind = fc.constantFrom("next_action_projection_mismatch", "status_process_mismatch", "x");
  fc.assert(
    fc.property(
      fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/),
      text,
      fc.option(text),
      fc.array(kind),
      (id, title, nextAction, kinds) => {
        const warnings = kinds.map((each) => ({ kind: each }) as never);
        const attention = [{ severity: "action" } as never];
        const shown = { id, title, session, nextAction, attention, warnings };
        const status = goalStatusOf({ ...shown, phase: "waiting_provider" });
        expect(Buffer.byteLength(JSON.stringify(status))).toBeLessThanOrEqual(500);
        expect(status).toMatchObject({ id, warnings: kinds.length });
      },
    ),
  );
});

test("what fits stays whole", () => {
  const shown = { id: "g", session: null, phase: null, attention: [], warnings: [] };
  const row = goalStatusOf({ ...shown, title: "Add login", nextAction: "Write the parser" });
  expect(row).toMatchObject({ title: "Add login", next_action: "Write the parser" });
});
