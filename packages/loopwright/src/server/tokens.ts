import { randomBytes } from "node:crypto";
import { lstatSync } from "node:fs";
import { LoopwrightError } from "@loopwright/protocol";
import { bearerOf, isSameToken } from "../read-api/http/bearer.ts";
import { readText } from "../store/read.ts";

export interface ServerTokens {
  /** May do everything. */
  readonly people: string;
  /** May only read; undefined: there is none. */
  readonly read: string | undefined;
}

export type ServerCaller = "people" | "read";

export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Throws UNAUTHORIZED. */
export function callerOf(tokens: ServerTokens, header: string | undefined): ServerCaller {
  const shown = bearerOf(header);
  // Both are compared, so that time tells nothing.
  const isPeople = isSameToken(shown, tokens.people);
  const isRead = tokens.read !== undefined && isSameToken(shown, tokens.read);
  if (isPeople) return "people";
  if (isRead) return "read";
  throw new LoopwrightError("UNAUTHORIZED", "The token is missing or wrong", {
    hint: "Send the one that `loopwright serve` printed as `Authorization: Bearer …`.",
  });
}

/** Throws READ_ONLY_TOKEN. */
export function refuseReader(caller: ServerCaller): void {
  if (caller === "people") return;
  throw new LoopwrightError("READ_ONLY_TOKEN", "This token may only read");
}

const SHORTEST = 16;

/** A token that stands alone in a file of its own. Throws USAGE when it is no secret. */
export function readTokenFile(path: string): string {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined)
    throw unfit(
      path,
      "is not there",
      `head -c 32 /dev/urandom | base64 > ${path}; chmod 600 ${path}`,
    );
  if ((found.mode & 0o077) !== 0 && found.isFile())
    throw unfit(path, "can be read by others", `chmod 600 ${path}`);
  const token = (readText(path, { maxBytes: 4096 }) ?? "").trim();
  if (/^[\x21-\x7e]{16,512}$/.test(token)) return token;
  throw unfit(
    path,
    `has no token: ${SHORTEST} to 512 printable characters without spaces`,
    `head -c 32 /dev/urandom | base64 > ${path}`,
  );
}

function unfit(path: string, what: string, hint: string): LoopwrightError {
  return new LoopwrightError("USAGE", `The token file ${path} ${what}`, { hint, where: path });
}
