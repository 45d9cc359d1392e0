import { answerBody, LoopwrightError } from "@loopwright/protocol";
import { writeOffline } from "../../coordinator/offline-writes.ts";
import type { Invocation } from "../catalogue/dispatch.ts";
import type { Context } from "../context.ts";
import { openSession } from "../open-session.ts";
import { findCoordinator } from "../people-client.ts";
import { refuseEnded } from "../steer.ts";
import { findGoal } from "../target.ts";
import { VERSION } from "../version.ts";

/** Answers a question of an agent: what waited for it goes on, and the answer stands in every prompt like guidance. */
export async function run(context: Context, { args }: Invocation): Promise<number> {
  const { output, seams } = context;
  const [question, words] = args;
  const parsed = answerBody.safeParse({
    question,
    text: (typeof words === "string" ? words : (words ?? []).join(" ")).trim(),
  });
  if (!parsed.success) {
    throw new LoopwrightError("USAGE", "An answer is the id of a question and a text", {
      hint: 'For example: loopwright answer q1 "the old one"; `loopwright status` shows what is asked.',
    });
  }
  const target = findGoal(context);
  const opened = openSession(target, "latest");
  if (opened.state.status === "goal_met") refuseEnded(opened.state);
  const { goal, runtimeRoot } = target;
  const client = findCoordinator(seams, goal.id, opened.layout);
  const at = { seams, runtimeRoot, goalId: goal.id, sessionId: opened.id, version: VERSION };
  const { seq } =
    client === undefined
      ? await writeOffline(at, { name: "answer", body: parsed.data })
      : await client.post("answer", parsed.data);
  const way = opened.state.status === "running" ? "loopwright run" : "loopwright resume";
  output.line(`Question ${String(question)} is answered.`);
  if (client === undefined) output.line(`Go on with: ${way}`);
  output.document({ session_id: opened.id, id: question, seq });
  return 0;
}
