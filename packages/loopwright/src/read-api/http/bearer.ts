import { createHash, timingSafeEqual } from "node:crypto";

/** The token of an `Authorization: Bearer …` header; empty when none is shown. Never taken from a query: logs keep those. */
export function bearerOf(header: string | undefined): string {
  return /^Bearer ([\x21-\x7e]{1,512})$/.exec(header ?? "")?.[1] ?? "";
}

/** Takes the same time for every wrong token. */
export function isSameToken(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
