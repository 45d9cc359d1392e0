import type { Invocation } from "../catalogue/dispatch.ts";
import type { Context } from "../context.ts";
import { activate } from "../activate-goal.ts";

export async function run(context: Context, invocation: Invocation): Promise<number> {
  return await activate(context, invocation, "disabled");
}
