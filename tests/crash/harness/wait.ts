import { setTimeout as sleep } from "node:timers/promises";

/** Longer than anything takes on a busy machine: a deadline that passes is a failure, never a matter of luck. */
export const DEADLINE_MS = 60_000;

/** Waits until `look` gives something, looking often; what it waited for is in the error. */
export async function until<T>(
  what: string,
  look: () => T | undefined | false,
  deadlineMs = DEADLINE_MS,
): Promise<T> {
  const deadline = Date.now() + deadlineMs;
  for (;;) {
    const found = look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`Waited ${deadlineMs} ms in vain for ${what}.`);
    await sleep(2);
  }
}

export { sleep };
