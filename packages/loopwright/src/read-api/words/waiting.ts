import type { State } from "@loopwright/engine";

/** Why nothing new is launched, where that isn't the scheduler's choice. */
export function waitingText(state: State): string[] {
  if (state.status !== "running") return [];
  const { paused, questions, stop_requested: stop, claim } = state;
  return [
    ...(paused === null
      ? []
      : [
          `It is paused (${paused.reason})${paused.detail === "" ? "" : `: ${paused.detail}`}. Go on: loopwright resume`,
        ]),
    ...(stop === null ? [] : [`A stop was asked for (${stop.mode}) at ${stop.at}.`]),
    ...(claim === null
      ? []
      : [
          `${claim.workflow_id} claimed in iteration ${claim.iteration} that the goal is met; the checks decide: ${claim.reason}`,
        ]),
    ...questions
      .filter(({ blocking }) => blocking)
      .map(({ id, text }) => `Question ${id} waits for an answer: ${text}`),
  ];
}
