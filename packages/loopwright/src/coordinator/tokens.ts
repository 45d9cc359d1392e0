import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** One for the two endpoints of the worker, one for people and programs. Made anew by each coordinator. */
export interface Tokens {
  readonly worker: string;
  readonly people: string;
}

export type Caller = "worker" | "people";

export function createTokens(): Tokens {
  return {
    worker: randomBytes(32).toString("base64url"),
    people: randomBytes(32).toString("base64url"),
  };
}

/** Who shows this `Authorization` header; undefined for nobody that we know. Takes the same time for every wrong token. */
export function callerOf(tokens: Tokens, header: string | undefined): Caller | undefined {
  const shown = /^Bearer ([\x21-\x7e]{1,512})$/.exec(header ?? "")?.[1] ?? "";
  const isWorker = equals(shown, tokens.worker);
  const isPeople = equals(shown, tokens.people);
  if (isWorker) return "worker";
  return isPeople ? "people" : undefined;
}

function equals(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
