import {
  type ProblemBody,
  problemBody,
  type WorkerAnswer,
  workerAnswer,
} from "@loopwright/protocol";
import { http } from "../seams/node-http.ts";
import type { Discovery } from "./discovery.ts";
import { postJson, type Reply } from "./http-post.ts";
import type { Patience, PatienceVerdict } from "./patience.ts";

export type Answer =
  | { readonly kind: "answer"; readonly answer: WorkerAnswer }
  | { readonly kind: "refused"; readonly problem: ProblemBody }
  | Exclude<PatienceVerdict, { kind: "wait" }>
  | { readonly kind: "detached" };

export interface CoordinatorClient {
  /** Repeated until there is an answer: the coordinator takes a repetition for what it is. */
  ask(path: "/register" | "/finished", body: object): Promise<Answer>;
  close(): void;
}

/** 5-protocol.md: 0.2 s doubling to 5 s. */
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;

export interface ClientOptions {
  readonly discovery: Discovery;
  readonly patience: Patience;
  readonly signal: AbortSignal;
  readonly onTrouble?: (message: string) => void;
}

export function createClient({
  discovery,
  patience,
  signal,
  onTrouble,
}: ClientOptions): CoordinatorClient {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const attempt = async (path: string, body: object): Promise<Reply | string> => {
    const address = discovery.find();
    if (address === undefined) return "there is no coordinator yet";
    try {
      return await postJson(new URL(path, address.url), body, {
        agent,
        token: address.token,
        signal,
      });
    } catch (error) {
      return (error as Error).message;
    }
  };
  return {
    async ask(path, body) {
      for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
        const reply = await attempt(path, body);
        if (signal.aborted) return { kind: "detached" };
        const decided = typeof reply === "string" ? undefined : decide(reply);
        if (decided !== undefined) {
          patience.restored(sessionOf(decided));
          return decided;
        }
        const verdict = patience.verdict();
        if (verdict.kind !== "wait") return verdict;
        onTrouble?.(typeof reply === "string" ? reply : `the coordinator answers ${reply.status}`);
        await discovery.wait(pause, signal);
      }
    },
    close: () => agent.destroy(),
  };
}

function sessionOf(decided: Answer): string | undefined {
  return decided.kind === "answer" && decided.answer.action === "run"
    ? decided.answer.session_dir
    : undefined;
}

/** `undefined`: worth another try. */
function decide({ status, body }: Reply): Answer | undefined {
  if (status === 200) {
    const answer = workerAnswer.safeParse(body);
    return answer.success
      ? { kind: "answer", answer: answer.data }
      : { kind: "refused", problem: UNINTELLIGIBLE };
  }
  // A token of an earlier coordinator, or trouble with the disk or the lock.
  if (status === 401 || status >= 500) return undefined;
  const problem = problemBody.safeParse(body);
  if (!problem.success) return undefined;
  // What may still run ends some day.
  return problem.data.code === "LEFTOVERS_ALIVE"
    ? undefined
    : { kind: "refused", problem: problem.data };
}

const UNINTELLIGIBLE: ProblemBody = {
  type: "about:blank",
  title: "Unintelligible answer",
  status: 426,
  code: "PROTOCOL_VERSION",
  detail: "The coordinator's answer is not one that this version of the worker understands.",
  hint: "Run coordinator and worker of the same version.",
};
