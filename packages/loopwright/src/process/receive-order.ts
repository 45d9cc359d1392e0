import { readSync } from "node:fs";
import { CHANNEL, type ShimOrder } from "./order.ts";

export interface ReceivedOrder {
  readonly order: ShimOrder;
  /** What came behind the order's line: the beginning of the agent's stdin. */
  readonly rest: Buffer;
}

/** Blocks until an order is there. `undefined`: the worker closed the pipe or died without giving one. */
export function receiveOrder(): ReceivedOrder | undefined {
  const chunks: Buffer[] = [];
  const chunk = Buffer.allocUnsafe(64 * 1024);
  for (;;) {
    const length = readSome(chunk);
    if (length === 0) return undefined;
    const end = chunk.subarray(0, length).indexOf(0x0a);
    if (end < 0) {
      chunks.push(Buffer.from(chunk.subarray(0, length)));
      continue;
    }
    chunks.push(Buffer.from(chunk.subarray(0, end)));
    const order = JSON.parse(Buffer.concat(chunks).toString("utf8")) as ShimOrder;
    return { order, rest: Buffer.from(chunk.subarray(end + 1, length)) };
  }
}

function readSome(chunk: Buffer): number {
  try {
    return readSync(CHANNEL, chunk, 0, chunk.length, null);
  } catch (error) {
    // The worker died with unread messages in the pipe.
    if ((error as NodeJS.ErrnoException).code === "ECONNRESET") return 0;
    throw error;
  }
}
