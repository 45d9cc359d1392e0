import type { Invocation } from "../catalogue/dispatch.ts";
import type { Context } from "../context.ts";
import { steer } from "../steer.ts";

export async function run(context: Context, { options }: Invocation): Promise<number> {
  const reason = (options as { reason?: string }).reason ?? "";
  const { seq, sessionId, state } = await steer(context, "pause", { reason }, () => ({
    kind: "pause",
    pause: { reason: "user", detail: reason, by: "user" },
  }));
  const running = state.task === null ? "" : " The iteration that runs is finished first.";
  context.output.line(`Paused: nothing is launched until loopwright resume.${running}`);
  context.output.document({ session_id: sessionId, seq });
  return 0;
}
