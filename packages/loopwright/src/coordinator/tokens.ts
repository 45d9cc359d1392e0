import { randomBytes } from "node:crypto";
import { LoopwrightError } from "@loopwright/protocol";
import { bearerOf, isSameToken } from "../read-api/http/bearer.ts";

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
function callerOf(tokens: Tokens, header: string | undefined): Caller | undefined {
  const shown = bearerOf(header);
  const isWorker = isSameToken(shown, tokens.worker);
  const isPeople = isSameToken(shown, tokens.people);
  if (isWorker) return "worker";
  return isPeople ? "people" : undefined;
}

/** The worker's token opens the worker's two endpoints and nothing else. */
export function refuseStranger(header: string | undefined, tokens: Tokens, needed: Caller): void {
  const caller = callerOf(tokens, header);
  if (caller === needed) return;
  throw new LoopwrightError(
    "UNAUTHORIZED",
    caller === undefined ? "The token is missing or wrong" : "This token is not for this endpoint",
    {
      hint: "Read it from coordinator.json and send it as `Authorization: Bearer …`.",
    },
  );
}
