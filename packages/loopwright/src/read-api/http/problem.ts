import type { ServerResponse } from "node:http";
import { LoopwrightError, type ProblemBody } from "@loopwright/protocol";

/** RFC 9457, with our code. */
export function problemOf(error: LoopwrightError, more: Partial<ProblemBody> = {}): ProblemBody {
  return {
    type: `urn:loopwright:error:${error.code}`,
    title: titleOf(error.code),
    status: error.status,
    code: error.code,
    detail: error.message,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    ...more,
  };
}

export function sendProblem(
  response: ServerResponse,
  error: unknown,
  more: Partial<ProblemBody> = {},
): void {
  const known = asLoopwrightError(error);
  const headers =
    known.code === "METHOD_NOT_ALLOWED" && known.hint !== undefined ? { allow: known.hint } : {};
  send(
    response,
    known.status,
    JSON.stringify(problemOf(known, more)),
    "application/problem+json",
    headers,
  );
}

export function sendJson(response: ServerResponse, body: unknown): void {
  send(response, 200, JSON.stringify(body), "application/json");
}

export function asLoopwrightError(error: unknown): LoopwrightError {
  if (error instanceof LoopwrightError) return error;
  const detail = error instanceof Error ? error.message : String(error);
  return new LoopwrightError("UNEXPECTED", `Something unexpected went wrong: ${detail}`, {
    cause: error,
  });
}

function send(
  response: ServerResponse,
  status: number,
  text: string,
  type: string,
  headers: Record<string, string> = {},
): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, {
    "content-type": type,
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'self'",
    ...headers,
  });
  response.end(response.req.method === "HEAD" ? undefined : text);
}

function titleOf(code: string): string {
  const words = code.toLowerCase().replaceAll("_", " ");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
