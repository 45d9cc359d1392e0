import type { Explanation, RuleVerdict } from "@loopwright/protocol";

/** Sentences for people: why this workflow, then each workflow with the rules that it passed and failed. */
export function explainDecision(explanation: Explanation): string[] {
  const { chosen, reason, workflows } = explanation;
  const head = chosen === null ? `Nothing runs: ${reason}.` : `${chosen} runs: ${reason}.`;
  return [
    head,
    ...workflows.map(({ workflow_id, eligible, rules }) => {
      const verdicts = rules.map(describe).join("; ");
      return `${workflow_id} ${eligible ? "is eligible" : "is not eligible"}${verdicts === "" ? "" : `: ${verdicts}`}.`;
    }),
  ];
}

function describe({ rule, passed, detail, lifted }: RuleVerdict): string {
  if (passed) return `${rule} holds (${detail})`;
  return lifted === true
    ? `${rule} is lifted until its first success (${detail})`
    : `${rule} fails (${detail})`;
}
