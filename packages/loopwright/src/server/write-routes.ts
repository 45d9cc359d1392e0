import type { IncomingMessage, ServerResponse } from "node:http";
import { LoopwrightError, pauseBody, resumeBody, stopBody, updateBody } from "@loopwright/protocol";
import { z } from "zod";
import { archiveRuntimeGoal, refusalOf } from "../control-plane/archive/index.ts";
import { holderOf } from "../control-plane/projection/index.ts";
import { validateGoalId } from "../control-plane/goal-id.ts";
import { parseBody, readBody } from "../read-api/http/body.ts";
import { type IdempotencyKeys, keyOf } from "../read-api/http/idempotency-keys.ts";
import { refuseOtherContent, refuseOtherMethod } from "../read-api/http/safety.ts";
import { COMMON } from "../read-api/http/send.ts";
import { parametersOf } from "../read-api/routes.ts";
import { forward, type Forwarded, liveCoordinator } from "./forward.ts";
import type { GoalEntry } from "./goal-entry.ts";
import type { ServerParts } from "./server.ts";

const BODIES = { stop: stopBody, pause: pauseBody, resume: resumeBody, update: updateBody };
export type WriteName = keyof typeof BODIES;

/** `execute` takes exactly the path that the preview named. */
const archiveBody = z.strictObject({
  execute: z.boolean().default(false),
  archive_path: z.string().min(1).max(4096).optional(),
  allow_registered: z.boolean().default(false),
});

/** `/goals/:id/<name>` of a write; undefined for any other path. */
export function writeOf(path: string): { goalId: string; name: WriteName | "archive" } | undefined {
  const [goalId = "", name = ""] =
    parametersOf(["", "goals", ":id", ":name"], path.split("/")) ?? [];
  return name === "archive" || Object.hasOwn(BODIES, name)
    ? { goalId, name: name as WriteName | "archive" }
    : undefined;
}

/** Done by the goal's coordinator, or in its place where none lives. */
export async function answerWrite(
  parts: ServerParts,
  keys: IdempotencyKeys,
  write: { readonly goalId: string; readonly name: WriteName | "archive" },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  refuseOtherMethod(request, ["POST"]);
  refuseOtherContent(request);
  const { name } = write;
  const goalId = validateGoalId(write.goalId);
  const body = await readBody(request);
  const key = keyOf(request);
  const entry = parts.model.entry(goalId);
  if (entry === undefined)
    throw new LoopwrightError("GOAL_NOT_FOUND", `There is no goal ${JSON.stringify(goalId)} here`);
  const answer = await keys.once(
    `${goalId} ${name} ${key ?? ""}`,
    key === undefined ? undefined : JSON.stringify(body),
    () =>
      name === "archive" ? archive(parts, goalId, body) : steer(parts, entry, name, body, key),
  );
  // So that whoever wrote reads what came of it.
  parts.model.entry(goalId);
  response.writeHead(answer.status, {
    ...COMMON,
    "content-type": answer.type,
    "cache-control": "no-store",
    "content-length": Buffer.byteLength(answer.text),
  });
  response.end(answer.text);
}

async function steer(
  { seams, offline }: ServerParts,
  { goal, layout, projection }: GoalEntry,
  name: WriteName,
  body: unknown,
  key: string | undefined,
): Promise<Forwarded> {
  const parsed = parseBody<z.output<(typeof BODIES)[WriteName]>>(BODIES[name], body);
  const sessionId = projection.session?.session_id;
  if (sessionId === undefined)
    throw new LoopwrightError("SESSION_NOT_FOUND", `Goal ${goal.id} has no session yet`, {
      hint: "Start one with: loopwright run",
    });
  const { liveness } = holderOf(layout.lock, seams.processes);
  const live =
    liveness === "alive" ? liveCoordinator(seams.processes, layout.session(sessionId)) : undefined;
  if (live !== undefined)
    return await forward(live, `/goals/${goal.id}/${name}`, JSON.stringify(parsed), key);
  return answerOf(await offline(goal.id, sessionId, { name, body: parsed, key }));
}

async function archive(
  { seams, registryPath, runtimeRoot, home }: ServerParts,
  goalId: string,
  body: unknown,
): Promise<Forwarded> {
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
  return answerOf({ schema_version: 1, ...payload });
}

function answerOf(document: object): Forwarded {
  return { status: 200, type: "application/json", text: JSON.stringify(document) };
}
