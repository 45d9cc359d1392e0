import { LoopwrightError, updateBody } from "@loopwright/protocol";
import { keepGuidance } from "../../coordinator/guidance.ts";
import type { Invocation } from "../catalogue/dispatch.ts";
import type { Context } from "../context.ts";
import { openSession } from "../open-session.ts";
import { findCoordinator } from "../people-client.ts";
import { refuseEnded } from "../steer.ts";
import { findGoal } from "../target.ts";

/** Guidance is a file that the next decision takes up: it waits for a coordinator that doesn't live yet. */
export async function run(context: Context, { args }: Invocation): Promise<number> {
  const { output, seams } = context;
  const words = args[0];
  const text = (typeof words === "string" ? words : (words ?? []).join(" ")).trim();
  if (!updateBody.shape.text.safeParse(text).success) {
    throw new LoopwrightError("USAGE", "Guidance is a text of 1 to 65,536 characters", {
      hint: 'For example: loopwright update "Prefer the existing mailer"',
    });
  }
  const target = findGoal(context);
  const opened = openSession(target, "latest");
  if (opened.state.status === "goal_met") refuseEnded(opened.state);
  const client = findCoordinator(seams, target.goal.id, opened.layout);
  if (client !== undefined && opened.state.status === "running") {
    const { id, seq } = await client.post("update", { text, by: "user" });
    output.line(
      `Guidance ${id} goes into every prompt until a succeeded iteration disposes of it.`,
    );
    output.document({ session_id: opened.id, id, seq });
    return 0;
  }
  const id = keepGuidance(seams, opened.layout, text, undefined);
  const way = opened.state.status === "running" ? "loopwright run" : "loopwright resume";
  output.line(`Guidance ${id} is kept for when the session goes on: ${way}`);
  output.document({ session_id: opened.id, id, seq: null });
  return 0;
}
