import type { IncomingMessage } from "node:http";
import { LoopwrightError } from "@loopwright/protocol";

/** Answers by key. In memory: the writes themselves may be repeated after a restart (guidance has its key as id). */
export interface IdempotencyKeys {
  /**
   * What the first write of this key answered; one that failed may be tried again. `body` undefined: no key was given.
   * Throws BODY_INVALID when the key was used for another body.
   */
  once<T>(key: string, body: string | undefined, write: () => T): T;
}

const REMEMBERED = 256;

export function createIdempotencyKeys(): IdempotencyKeys {
  const answers = new Map<string, { body: string; written: unknown }>();
  return {
    once<T>(key: string, body: string | undefined, write: () => T): T {
      if (body === undefined) return write();
      const known = answers.get(key);
      if (known !== undefined) {
        if (known.body === body) return known.written as T;
        throw new LoopwrightError(
          "BODY_INVALID",
          "This Idempotency-Key was used for something else",
        );
      }
      const written = write();
      answers.set(key, { body, written });
      if (written instanceof Promise) written.catch(() => answers.delete(key));
      const oldest = answers.keys().next().value;
      if (answers.size > REMEMBERED && oldest !== undefined) answers.delete(oldest);
      return written;
    },
  };
}

/** The request's `Idempotency-Key`. Throws BODY_INVALID for one that can't be a key. */
export function keyOf(request: IncomingMessage): string | undefined {
  const key = request.headers["idempotency-key"];
  if (key === undefined) return undefined;
  if (typeof key === "string" && /^[\x21-\x7e]{1,200}$/.test(key)) return key;
  throw new LoopwrightError(
    "BODY_INVALID",
    "Idempotency-Key has to be 1 to 200 printable characters without spaces",
  );
}
