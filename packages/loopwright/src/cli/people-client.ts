import {
  discoveryFile,
  ERROR_TABLE,
  type ErrorCode,
  LoopwrightError,
  problemBody,
  writeAnswer,
} from "@loopwright/protocol";
import { http } from "../seams/node-http.ts";
import { readJsonIfPresent } from "../store/read.ts";
import type { SessionLayout } from "../store/session-layout.ts";
import type { Seams } from "./context.ts";

export type WriteName = "stop" | "pause" | "resume" | "update" | "resolve";

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
  const found = readJsonIfPresent(layout.coordinator, discoveryFile);
  if (found === undefined || processes.liveness(found.identity) !== "alive") return undefined;
  const { url, people_token: token } = found;
  return {
    url,
    async post(name, body) {
      const answer = await send(`${url}/goals/${goalId}/${name}`, token, JSON.stringify(body));
      if (answer.status === 200) return writeAnswer.parse(JSON.parse(answer.text));
      throw refusalOf(answer);
    },
  };
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

function send(url: string, token: string, body: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const unreachable = (cause: Error): void =>
      reject(
        new LoopwrightError(
          "COORDINATOR_UNREACHABLE",
          `The coordinator at ${new URL(url).origin} doesn't answer (${cause.message})`,
          {
            cause,
            hint: "Look at it with: loopwright status",
          },
        ),
      );
    const sent = http.request(
      url,
      {
        method: "POST",
        agent: false,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => (text += chunk));
        response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
        response.on("error", unreachable);
      },
    );
    sent.setTimeout(30_000, () => sent.destroy(new Error("no answer in 30 seconds")));
    sent.on("error", unreachable);
    sent.end(body);
  });
}

function refusalOf({ status, text }: Answer): LoopwrightError {
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
