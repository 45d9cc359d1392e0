import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

interface Sendable {
  readonly bytes: Buffer;
  readonly etag: string;
}

/** A document that a model keeps is written out once, however many ask for it. */
const WRITTEN = new WeakMap<object, Sendable>();

/** JSON with an ETag; 304 where the caller has it already. */
export function sendDocument(
  request: IncomingMessage,
  response: ServerResponse,
  document: object,
): void {
  const { bytes, etag } = sendableOf(document);
  const headers = { ...COMMON, etag, "cache-control": "no-cache" };
  if (isSame(request.headers["if-none-match"], etag)) {
    response.writeHead(304, headers);
    return void response.end();
  }
  response.writeHead(200, {
    ...headers,
    "content-type": "application/json",
    "content-length": bytes.length,
  });
  response.end(request.method === "HEAD" ? undefined : bytes);
}

export function sendText(
  request: IncomingMessage,
  response: ServerResponse,
  text: string,
  type: string,
): void {
  response.writeHead(200, {
    ...COMMON,
    "cache-control": "no-store",
    "content-type": type,
    "content-length": Buffer.byteLength(text),
  });
  response.end(request.method === "HEAD" ? undefined : text);
}

export const COMMON = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'self'",
} as const;

function sendableOf(document: object): Sendable {
  const known = WRITTEN.get(document);
  if (known !== undefined) return known;
  const bytes = Buffer.from(JSON.stringify(document));
  const etag = `"${createHash("sha1").update(bytes).digest("base64url").slice(0, 20)}"`;
  const written = { bytes, etag };
  WRITTEN.set(document, written);
  return written;
}

function isSame(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(",").some((each) => {
    const tag = each.trim().replace(/^W\//, "");
    return tag === etag || tag === "*";
  });
}
