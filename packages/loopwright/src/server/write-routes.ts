import type { IncomingMessage, ServerResponse } from "node:http";
import {
  LoopwrightError,
  pauseBody,
  resolveBody,
  resumeBody,
  stopBody,
  updateBody,
} from "@loopwright/protocol";
import type { z } from "zod";
import { holderOf } from "../control-plane/projection/index.ts";
import { validateGoalId } from "../control-plane/goal-id.ts";
import { parseBody, readBody } from "../read-api/http/body.ts";
import { type IdempotencyKeys, keyOf } from "../read-api/http/idempotency-keys.ts";
import { refuseOtherContent, refuseOtherMethod } from "../read-api/http/safety.ts";
import { COMMON } from "../read-api/http/send.ts";
import { parametersOf } from "../read-api/routes.ts";
import { forward, type Forwarded, liveCoordinator } from "./forward.ts";
import { archiveGoal } from "./archive-goal.ts";
import type { GoalEntry } from "./goal-entry.ts";
import { refreshGoal } from "./refresh-goal.ts";
import type { ServerParts } from "./server.ts";

const BODIES = {
  stop: stopBody,
  pause: pauseBody,
  resume: resumeBody,
  update: updateBody,
  resolve: resolveBody,
};
export type SteeringName = keyof typeof BODIES;
type WriteName = SteeringName | "archive" | "refresh";

/** `/goals/:id/<name>` of a write; undefined for any other path. */
export function writeOf(path: string): { goalId: string; name: WriteName } | undefined {
  const [goalId = "", name = ""] =
    parametersOf(["", "goals", ":id", ":name"], path.split("/")) ?? [];
  const isWrite = name === "archive" || name === "refresh" || Object.hasOwn(BODIES, name);
  return isWrite ? { goalId, name: name as WriteName } : undefined;
}

/** Done by the goal's coordinator, or in its place where none lives. */
export async function answerWrite(
  parts: ServerParts,
  keys: IdempotencyKeys,
  write: { readonly goalId: string; readonly name: WriteName },
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
    async () => {
      if (name === "archive") return answerOf(await archiveGoal(parts, goalId, body));
      if (name === "refresh") return answerOf(refreshGoal(parts, entry, body));
      return await steer(parts, entry, name, body, key);
    },
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
  name: SteeringName,
  body: unknown,
  key: string | undefined,
): Promise<Forwarded> {
  const parsed = parseBody<z.output<(typeof BODIES)[SteeringName]>>(BODIES[name], body);
  const sessionId = projection.session?.session_id;
  // What is next is settled for a goal that was never run, too.
  if (sessionId === undefined && name !== "resolve")
    throw new LoopwrightError("SESSION_NOT_FOUND", `Goal ${goal.id} has no session yet`, {
      hint: "Start one with: loopwright run",
    });
  const { liveness } = holderOf(layout.lock, seams.processes);
  const live =
    liveness === "alive" && sessionId !== undefined
      ? liveCoordinator(seams.processes, layout.session(sessionId))
      : undefined;
  if (live !== undefined)
    return await forward(live, `/goals/${goal.id}/${name}`, JSON.stringify(parsed), key);
  return answerOf(await offline(goal.id, sessionId ?? null, { name, body: parsed, key }));
}

function answerOf(document: object): Forwarded {
  return { status: 200, type: "application/json", text: JSON.stringify(document) };
}
