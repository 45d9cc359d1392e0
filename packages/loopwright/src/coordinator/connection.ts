import type {
  LoopwrightError,
  ProblemBody,
  ProcessIdentity,
  WorkerAnswer,
} from "@loopwright/protocol";

/** One request of a worker that is still to be answered, whenever that may be. */
export interface Connection {
  readonly worker: ProcessIdentity;
  /** Whether an answer would still reach somebody, as far as the system has told us. */
  open(): boolean;
  answer(body: WorkerAnswer): void;
  refuse(error: LoopwrightError, more?: Partial<ProblemBody>): void;
  /** Ends it without an answer: the worker reads coordinator.json again and retries. */
  drop(): void;
  /** Resolves when the answer is out, or nobody waits for it any more. */
  readonly over: Promise<void>;
}
