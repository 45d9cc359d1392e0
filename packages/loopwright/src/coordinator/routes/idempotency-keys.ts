import { LoopwrightError } from "@loopwright/protocol";
import type { Written } from "../writes.ts";

/** Answers by key. In memory: the writes themselves may be repeated after a restart (guidance has its key as id). */
export interface IdempotencyKeys {
  /** `body` undefined: no key was given. Throws BODY_INVALID when the key was used for another body. */
  once(key: string, body: string | undefined, write: () => Written): Written;
}

const REMEMBERED = 256;

export function createIdempotencyKeys(): IdempotencyKeys {
  const answers = new Map<string, { body: string; written: Written }>();
  return {
    once(key, body, write) {
      if (body === undefined) return write();
      const known = answers.get(key);
      if (known !== undefined) {
        if (known.body === body) return known.written;
        throw new LoopwrightError(
          "BODY_INVALID",
          "This Idempotency-Key was used for something else",
        );
      }
      const written = write();
      answers.set(key, { body, written });
      const oldest = answers.keys().next().value;
      if (answers.size > REMEMBERED && oldest !== undefined) answers.delete(oldest);
      return written;
    },
  };
}
