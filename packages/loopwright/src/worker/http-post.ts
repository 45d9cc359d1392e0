import type { Agent } from "node:http";
import { http } from "../seams/node-http.ts";

export interface Reply {
  readonly status: number;
  /** Parsed JSON; undefined where it isn't any. */
  readonly body: unknown;
}

export interface PostOptions {
  readonly agent: Agent;
  readonly token: string;
  readonly signal: AbortSignal;
}

const REPLY_LIMIT = 64 * 1024 * 1024;

/**
 * Posts JSON and waits for the answer however long it is held. (`fetch` ends a silent answer after 300 s.) Rejects when
 * the connection is refused, broken or closed before the answer was whole.
 */
export function postJson(
  url: URL,
  body: object,
  { agent, token, signal }: PostOptions,
): Promise<Reply> {
  const data = Buffer.from(JSON.stringify(body));
  return new Promise((resolve, reject) => {
    const outgoing = http.request(
      url,
      {
        method: "POST",
        agent,
        signal,
        headers: {
          "content-type": "application/json",
          "content-length": data.length,
          authorization: `Bearer ${token}`,
        },
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        let length = 0;
        incoming.on("data", (chunk: Buffer) => {
          length += chunk.length;
          if (length > REPLY_LIMIT) incoming.destroy(new Error("the answer is too large"));
          else chunks.push(chunk);
        });
        incoming.on("error", reject);
        incoming.on("close", () => reject(new Error("the answer broke off")));
        incoming.on("end", () =>
          resolve({ status: incoming.statusCode ?? 0, body: parse(Buffer.concat(chunks)) }),
        );
      },
    );
    outgoing.on("error", reject);
    outgoing.setNoDelay(true);
    // A held answer may take days: a dead peer shows by keep-alive probes, not by a time-out of ours.
    outgoing.setSocketKeepAlive(true, 60_000);
    outgoing.end(data);
  });
}

function parse(data: Buffer): unknown {
  try {
    return JSON.parse(data.toString("utf8"));
  } catch {
    return undefined;
  }
}
