import type { Launcher } from "../process/launcher.ts";
import type { CheckoutEvidence } from "./checkout-evidence.ts";
import type { WorkerSeams } from "./worker-seams.ts";

/** Monotonic milliseconds that an agent is given. */
export interface Grace {
  /** Between the rungs of the stop ladder. */
  readonly native?: number;
  readonly term?: number;
  /** To exit after its final event. Default 30,000. */
  readonly afterFinal?: number;
}

/** What a worker has at hand for each of its tasks. */
export interface TaskContext {
  readonly seams: WorkerSeams;
  readonly launcher: Launcher;
  /** One open reader a checkout, kept between tasks. */
  readonly evidence: (checkout: string, sessionDirectory: string) => CheckoutEvidence;
  /** The user's: `process.env`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Aborted: leave; what runs goes on and is adopted. */
  readonly detach: AbortSignal;
  readonly grace?: Grace;
}
