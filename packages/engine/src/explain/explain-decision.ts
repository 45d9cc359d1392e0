import type { Explanation, RuleVerdict } from "@loopwright/protocol";

/** Sentences for people: why this workflow, then each workflow with the rules that it passed and failed. */
export function explainDecision(explanation: Explanation): string[] {
  const { chosen, workflows } = explanation;
  const reason = decisionReason(explanation);
  if (isAlone(explanation)) return [`${chosen} runs: ${reason}.`];
  const head = chosen === null ? `Nothing runs: ${reason}.` : `${chosen} runs: ${reason}.`;
  return [
    head,
    ...workflows.map(({ workflow_id, eligible, rules }) => {
      const verdicts = rules.map(describe).join("; ");
      return `${workflow_id} ${eligible ? "is eligible" : "is not eligible"}${verdicts === "" ? "" : `: ${verdicts}`}.`;
    }),
  ];
}

/** Why this one, in half a sentence. */
export function decisionReason(explanation: Explanation): string {
  return isAlone(explanation) ? "it is the only workflow" : explanation.reason;
}

/** Where there is no choice, the rules about turns mean nothing: it runs again and again. */
function isAlone({ chosen, workflows }: Explanation): boolean {
  return chosen !== null && workflows.length === 1;
}

function describe({ rule, passed, detail, lifted }: RuleVerdict): string {
  if (passed) return `${rule} holds (${detail})`;
  return lifted === true
    ? `${rule} is lifted until its first success (${detail})`
    : `${rule} fails (${detail})`;
}
