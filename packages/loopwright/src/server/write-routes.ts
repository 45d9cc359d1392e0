import type { IncomingMessage, ServerResponse } from "node:http";
import {
  LoopwrightError,
  WRITE_BODIES,
  type WriteBody,
  type WriteName,
} from "@loopwright/protocol";
import { z } from "zod";
import { refuseForeign } from "../control-plane/foreign-registry.ts";
import { holderOf } from "../control-plane/projection/index.ts";
import { validateGoalId } from "../control-plane/goal-id.ts";
import { parseBody, readBody } from "../read-api/http/body.ts";
import { type IdempotencyKeys, keyOf } from "../read-api/http/idempotency-keys.ts";
import { refuseOtherContent, refuseOtherMethod } from "../read-api/http/safety.ts";
import { COMMON } from "../read-api/http/send.ts";
import { parametersOf } from "../read-api/path.ts";
import { withInput, type WritePath, writePathOf } from "../read-api/write-path.ts";
import { forward, type Forwarded, liveCoordinator } from "./forward.ts";
import { archiveGoal } from "./archive-goal.ts";
import type { GoalEntry } from "./goal-entry.ts";
import { refreshGoal } from "./refresh-goal.ts";
import type { ServerParts } from "./server.ts";

/** What only this server does: `/goals/:id/<name>`. */
const OWN = ["archive", "refresh", "check"] as const;
type ServerWrite =
  | WritePath
  | { readonly goalId: string; readonly name: (typeof OWN)[number]; readonly input?: undefined };

/** Undefined for the path of no write. */
export function serverWriteOf(path: string): ServerWrite | undefined {
  const [goalId = "", last] = parametersOf(["", "goals", ":id", ":name"], path.split("/")) ?? [];
  const name = OWN.find((each) => each === last);
  return name === undefined ? writePathOf(path) : { goalId, name };
}

/** Done by the goal's coordinator, or in its place where none lives. */
export async function answerWrite(
  parts: ServerParts,
  keys: IdempotencyKeys,
  write: ServerWrite,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  refuseOtherMethod(request, ["POST"]);
  refuseOtherContent(request);
  const { name } = write;
  const goalId = validateGoalId(write.goalId);
  const body = withInput(await readBody(request), write.input);
  const key = keyOf(request);
  const entry = parts.model.entry(goalId);
  if (entry === undefined)
    throw new LoopwrightError("GOAL_NOT_FOUND", `There is no goal ${JSON.stringify(goalId)} here`);
  const answer = await keys.once(
    `${goalId} ${name} ${key ?? ""}`,
    key === undefined ? undefined : JSON.stringify(body),
    async () => {
      if (name === "archive") return answerOf(await archiveGoal(parts, goalId, body));
      refuseForeign(parts.registryPath);
      if (name === "refresh") return answerOf(refreshGoal(parts, entry, body));
      if (name === "check") {
        parseBody(z.strictObject({}), body);
        return answerOf(await parts.runCheck(entry.goal));
      }
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
  { seams, offline, startRun }: ServerParts,
  { goal, layout, projection }: GoalEntry,
  name: WriteName,
  body: unknown,
  key: string | undefined,
): Promise<Forwarded> {
  const parsed = parseBody<WriteBody<WriteName>>(WRITE_BODIES[name], body);
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
    return await forward(live, pathOf(goal.id, name, parsed), JSON.stringify(parsed), key);
  const written = await offline(goal.id, sessionId ?? null, { name, body: parsed, key });
  return answerOf(name === "resume" ? { ...written, ...(await startRun(goal)) } : written);
}

function pathOf(goalId: string, name: WriteName, body: WriteBody<WriteName>): string {
  return "input" in body
    ? `/goals/${goalId}/inputs/${encodeURIComponent(body.input)}/${name}`
    : `/goals/${goalId}/${name}`;
}

function answerOf(document: object): Forwarded {
  return { status: 200, type: "application/json", text: JSON.stringify(document) };
}
