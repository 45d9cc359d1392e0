import type { IncomingMessage, ServerResponse } from "node:http";
import { timestamp as timestampSchema } from "@loopwright/protocol";
import { z } from "zod";
import { parseBody, readBody } from "../read-api/http/body.ts";
import { sendJson } from "../read-api/http/problem.ts";
import { refuseOtherContent, refuseOtherMethod } from "../read-api/http/safety.ts";
import { timestamp } from "../seams/clock.ts";
import { writeDurable } from "../store/durable-write.ts";
import { runtimeLayout } from "../store/layout.ts";
import { readJsonIfPresent } from "../store/read.ts";
import type { ServerParts } from "./server.ts";

const seenFile = z.object({ schema_version: z.literal(1), at: timestampSchema });
const seenBody = z.strictObject({ at: timestampSchema.optional() });

/** When somebody last looked, on whatever device: where `/since` begins. Null: nobody has said so. */
export function readSeen(runtimeRoot: string): string | null {
  return readJsonIfPresent(runtimeLayout(runtimeRoot).seen, seenFile)?.at ?? null;
}

/** `POST /seen` `{at?}`: somebody has looked, now or then; never later than now. */
export async function answerSeen(
  { seams, runtimeRoot }: Pick<ServerParts, "seams" | "runtimeRoot">,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  refuseOtherMethod(request, ["POST"]);
  refuseOtherContent(request);
  const now = timestamp(seams.clock);
  const { at = now } = parseBody(seenBody, await readBody(request));
  const seen = at < now ? at : now;
  const text = `${JSON.stringify({ schema_version: 1, at: seen })}\n`;
  writeDurable(seams.disk, runtimeLayout(runtimeRoot).seen, text);
  sendJson(response, { schema_version: 1, at: seen });
}
