import type { Cause } from "./divergence.ts";
import type { Differing } from "./differing.ts";

/** Why the next action (`a`) and the recommended action (`b`) don't agree: one sentence for people. */
export function nextActionReason(cause: Cause, { only_in_a, only_in_b }: Differing): string {
  const [state, run] = [quote(only_in_a), quote(only_in_b)];
  switch (cause) {
    case "negation":
      return `One of them forbids or excludes what the other asks for: ${sides(state, run)}.`;
    case "opposite":
      return `They ask for opposite things: ${sides(state, run)}.`;
    case "order":
      return `They use the same words in another order, so that things have changed places: ${sides(state, run)}.`;
    case "target":
      return `They start alike but aim at different things: ${sides(state, run)}.`;
    case "action":
      return `They name the same things but do something different with them: ${sides(state, run)}.`;
    case "addition":
      return `One of them says something in addition that makes another action of it: ${sides(state, run)}.`;
    case "waiting":
      return `One of them waits, or calls it closed, while the other goes ahead: ${sides(state, run)}.`;
    case "unrelated":
      return `They have too little in common to be the same step: ${sides(state, run)}.`;
  }
}

function sides(state: string, run: string): string {
  if (state === "") return `only the last run's recommendation says ${run}`;
  if (run === "") return `only the next action says ${state}`;
  return `the next action says ${state}, the last run recommends ${run}`;
}

const SHOWN = 6;

function quote(parts: readonly string[]): string {
  const shown = parts.slice(0, SHOWN).map((part) => `"${part}"`);
  const more = parts.length - shown.length;
  return shown.join(", ") + (more > 0 ? ` and ${more} more` : "");
}
