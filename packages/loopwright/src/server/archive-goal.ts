import { LoopwrightError } from "@loopwright/protocol";
import { z } from "zod";
import { archiveRuntimeGoal, refusalOf } from "../control-plane/archive/index.ts";
import { parseBody } from "../read-api/http/body.ts";
import type { ServerParts } from "./server.ts";

/** `execute` takes exactly the path that the preview named. */
const archiveBody = z.strictObject({
  execute: z.boolean().default(false),
  archive_path: z.string().min(1).max(4096).optional(),
  allow_registered: z.boolean().default(false),
});

/** A preview, or exactly what was previewed. */
export async function archiveGoal(
  { seams, registryPath, runtimeRoot, home }: ServerParts,
  goalId: string,
  body: unknown,
): Promise<object> {
  const { execute, archive_path: archivePath, allow_registered } = parseBody(archiveBody, body);
  if (execute && archivePath === undefined)
    throw new LoopwrightError(
      "BODY_INVALID",
      "What is executed was previewed: archive_path is missing",
      {
        hint: "Ask without execute first, then send the archive_path of the answer.",
      },
    );
  const payload = await archiveRuntimeGoal(seams, {
    registryPath,
    runtimeRootOverride: runtimeRoot,
    goalId,
    archiveRoot: null,
    archivePath: archivePath ?? null,
    allowRegistered: allow_registered,
    execute,
    home,
  });
  const refusal = refusalOf(payload);
  if (refusal !== undefined) throw refusal;
  return { schema_version: 1, ...payload };
}
