import {
  ERROR_TABLE,
  type ErrorCode,
  LoopwrightError,
  problemBody,
  type WriteName,
  writeAnswer,
} from "@loopwright/protocol";
import { forward, type Forwarded, liveCoordinator } from "../server/forward.ts";
import type { SessionLayout } from "../store/session-layout.ts";
import type { Seams } from "./context.ts";

/** A living coordinator, as people reach it. */
export interface PeopleClient {
  readonly url: string;
  /** Throws what the coordinator refuses with, or COORDINATOR_UNREACHABLE. */
  post(name: WriteName, body: object): Promise<{ seq: number; id?: string | undefined }>;
}

/** The coordinator that holds a session; undefined when none lives. */
export function findCoordinator(
  { processes }: Pick<Seams, "processes">,
  goalId: string,
  layout: Pick<SessionLayout, "coordinator">,
): PeopleClient | undefined {
  const live = liveCoordinator(processes, layout);
  if (live === undefined) return undefined;
  return {
    url: live.url,
    async post(name, body) {
      const path = `/goals/${goalId}/${name}`;
      const answer = await forward(live, path, JSON.stringify(body), undefined);
      if (answer.status === 200) return writeAnswer.parse(JSON.parse(answer.text));
      throw refusalOf(answer);
    },
  };
}

function refusalOf({ status, text }: Forwarded): LoopwrightError {
  const parsed = problemBody.safeParse(parse(text));
  if (!parsed.success || !(parsed.data.code in ERROR_TABLE)) {
    return new LoopwrightError(
      "COORDINATOR_UNREACHABLE",
      `The coordinator answered with status ${status}`,
    );
  }
  const { code, detail, hint } = parsed.data;
  return new LoopwrightError(code as ErrorCode, detail, hint === undefined ? {} : { hint });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
