import type { StopMode } from "@loopwright/protocol";

export interface Interrupts {
  /** What is asked for by the next Ctrl-C; replaced as `run` gets to know more. */
  onInterrupt(handler: (mode: StopMode) => void): void;
  close(): void;
}

/**
 * Ctrl-C once: stop after this iteration. Twice: now. Three times: by force. SIGTERM asks for now at once. When the
 * terminal goes away only the view ends: coordinator and worker go on.
 */
export function watchInterrupts(first: (mode: StopMode) => void): Interrupts {
  let handler = first;
  let times = 0;
  const escalate = (): void => {
    times += 1;
    handler(times === 1 ? "graceful" : times === 2 ? "now" : "kill");
  };
  const terminate = (): void => {
    times = Math.max(times, 2);
    handler("now");
  };
  const hangUp = (): void => process.exit(129);
  process.on("SIGINT", escalate);
  process.on("SIGTERM", terminate);
  process.on("SIGHUP", hangUp);
  return {
    onInterrupt(next) {
      handler = next;
    },
    close() {
      process.off("SIGINT", escalate);
      process.off("SIGTERM", terminate);
      process.off("SIGHUP", hangUp);
    },
  };
}
