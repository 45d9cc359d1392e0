import { createHash } from "node:crypto";
import type { Configuration, RecordData, SessionFile } from "@loopwright/protocol";

/** Agents whose account may not be used for a while. */
export interface Holds {
  /** Until when (wall milliseconds) the agent is held; undefined when it may run. */
  until(agent: string, now: number): number | undefined;
  apply(finished: RecordData<"task_finished">, at: string): void;
}

/** Without a reset time: 15 minutes, doubled each time in a row, at most 4 hours; up to a tenth is added (8-agents.md). */
const FIRST_MS = 15 * 60_000;
const LONGEST_MS = 4 * 60 * 60_000;

/** Folded from the journal, so that a restart doesn't open what a provider has closed. */
export function createHolds(): Holds {
  const held = new Map<string, { until: number; times: number }>();
  return {
    until(agent, now) {
      const until = held.get(agent)?.until;
      return until !== undefined && until > now ? until : undefined;
    },
    apply(finished, at) {
      if (finished.cause !== "rate_limited") {
        if (finished.outcome === "ok") held.delete(finished.agent);
        return;
      }
      const times = (held.get(finished.agent)?.times ?? 0) + 1;
      const until =
        finished.reset_at === null
          ? Date.parse(at) +
            withJitter(Math.min(FIRST_MS * 2 ** (times - 1), LONGEST_MS), finished.attempt_id)
          : Date.parse(finished.reset_at);
      held.set(finished.agent, { until, times });
    },
  };
}

/** From the attempt's id, so that the same journal always folds to the same hold. */
function withJitter(ms: number, attemptId: string): number {
  const share = createHash("sha256").update(attemptId).digest().readUInt16BE() / 65_536;
  return Math.round(ms * (1 + share / 10));
}

/** The agent that a workflow runs on. */
export function agentNameOf(
  file: { workflows: SessionFile["workflows"]; configuration: Configuration },
  workflowId: string,
): string {
  return (
    file.workflows.find(({ id }) => id === workflowId)?.agent ?? file.configuration.default_agent
  );
}
