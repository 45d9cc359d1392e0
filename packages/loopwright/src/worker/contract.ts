import { childRequest, control, goalCheck, report } from "@loopwright/protocol";
import { z } from "zod";

/** Stands for the attempt's id in what is made once and used for every iteration. */
const ATTEMPT = "00000000000000000000000000";

let template: string | undefined;

/** `contract.json`: what the agent may write into `out/`, as JSON Schemas with one valid example each. */
export function renderContract(attemptId: string): string {
  template ??= `${JSON.stringify(contract(), undefined, 2)}\n`;
  return template.replaceAll(ATTEMPT, attemptId);
}

function contract(): object {
  const documents = Object.fromEntries(
    CONTRACT_DOCUMENTS.map(({ file, use, schema, example }) => [
      file,
      { use, example, schema: z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) },
    ]),
  );
  return {
    schema_version: 1,
    note: "Write each file under a temporary name in out/ and rename it.",
    documents,
  };
}

export const CONTRACT_DOCUMENTS = [
  {
    file: "report.json",
    use: "Always: your own short account. Informs people and the next iteration; decides nothing.",
    schema: report,
    example: {
      schema_version: 1,
      attempt_id: ATTEMPT,
      summary: "The parser accepts quoted fields; its tests pass.",
      recommended_action: "Handle line breaks inside quoted fields",
      evidence: [{ claim: "Quoted fields are parsed", command: "npm test -- parser" }],
      blockers: [],
      inputs: [{ id: "example-input", disposition: "applied", note: "Used the existing mailer." }],
    },
  },
  {
    file: "goal_check.json",
    use: "Evaluating workflows only: evidence about the goal, never a decision.",
    schema: goalCheck,
    example: {
      schema_version: 1,
      goal_met: false,
      reason: "Two of five acceptance criteria are not met yet.",
      evidence: ["npm test: 3 of 5 pass"],
    },
  },
  {
    file: "control.json",
    use: "Only to ask for a stop: goal_met (workflows that may complete; checks decide) or unresolvable_error (name the routes that you tried).",
    schema: control,
    example: {
      schema_version: 1,
      attempt_id: ATTEMPT,
      state: "stopped",
      stop_reason: "goal_met",
      reason: "Every completion criterion holds; see report.json.",
      attempted_routes: [],
    },
  },
  {
    file: "child_requests/<name>.json",
    use: "Only where your task says so: asks for a child session.",
    schema: childRequest,
    example: {
      schema_version: 1,
      request_id: "parser-1",
      workflow_set: "inner_outer_eval",
      goal: "Make the parser accept quoted fields.",
    },
  },
] as const;
