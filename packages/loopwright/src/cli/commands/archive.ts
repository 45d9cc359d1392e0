import { resolve } from "node:path";
import { LoopwrightError } from "@loopwright/protocol";
import {
  archiveRuntimeGoal,
  type ArchivePayload,
  refusalOf,
  renderArchiveMarkdown,
} from "../../control-plane/archive/index.ts";
import type { Invocation } from "../catalogue/dispatch.ts";
import type { Context } from "../context.ts";
import { shellWords } from "../shell-words.ts";
import { findRegistryFile, repeatedFlags, runtimeRootOverride } from "../target.ts";

interface ArchiveOptions {
  readonly execute?: boolean;
  readonly to?: string;
  readonly allowRegistered?: boolean;
  readonly archiveRoot?: string;
}

export async function run(context: Context, { args, options }: Invocation): Promise<number> {
  const { execute = false, allowRegistered = false, to, archiveRoot } = options as ArchiveOptions;
  const goalId = (args[0] as string | undefined) ?? context.goalFlag;
  if (goalId === undefined) {
    throw new LoopwrightError("USAGE", "No goal was named", {
      hint: "Say which: loopwright archive GOAL. What is archived: loopwright archive list",
    });
  }
  const payload = await archiveRuntimeGoal(context.seams, {
    registryPath: findRegistryFile(context),
    runtimeRootOverride: runtimeRootOverride(context) ?? null,
    goalId,
    archiveRoot: fromHere(context, archiveRoot),
    archivePath: fromHere(context, to),
    allowRegistered,
    execute,
    home: context.home,
  });
  const refusal = refusalOf(payload);
  if (refusal !== undefined) throw refusal;
  const next = payload.archived ? null : commandFor(context, payload);
  context.output.document({ ...payload, next_command: next });
  context.output.line(renderArchiveMarkdown(payload));
  context.output.line();
  context.output.line(
    next === null
      ? `Take it back with: ${shellWords(["loopwright", ...repeatedFlags(context), "archive", "restore", payload.archive_path, "--execute"])}`
      : `Do it with: ${next}`,
  );
  return 0;
}

/** Takes exactly the place that was shown. */
function commandFor(context: Context, payload: ArchivePayload): string {
  return shellWords([
    "loopwright",
    ...repeatedFlags(context),
    "archive",
    payload.goal_id,
    "--execute",
    "--to",
    payload.archive_path,
    ...(payload.registry_member ? ["--allow-registered"] : []),
  ]);
}

function fromHere({ cwd }: Context, path: string | undefined): string | null {
  if (path === undefined || path === "") return null;
  return path.startsWith("~") ? path : resolve(cwd, path);
}
