import type { Clock } from "../../seams/clock.ts";
import type { SessionRecord } from "../session/open-record.ts";
import type { EventHub } from "./event-hub.ts";

const LOOK_EVERY_MS = 200;

/** Publishes what comes into one journal, while somebody listens. */
export function followOne(
  clock: Clock,
  hub: EventHub,
  record: () => SessionRecord,
  onProblem: (error: unknown) => void,
): void {
  let known: number | undefined;
  let looking = false;
  const publish = (): void => {
    const { goalId, id, journal } = record();
    const length = journal.length();
    if (known !== undefined && length > known)
      hub.publish(goalId, id, journal.lines(known, length));
    known = length;
  };
  const look = async (): Promise<void> => {
    while (hub.listeners() > 0) {
      try {
        publish();
      } catch (error) {
        onProblem(error);
      }
      await clock.sleep(LOOK_EVERY_MS);
    }
    looking = false;
    known = undefined;
  };
  hub.onListener(() => {
    if (looking) return;
    looking = true;
    void look();
  });
}
