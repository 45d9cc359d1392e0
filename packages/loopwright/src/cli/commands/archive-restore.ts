import { existsSync } from "node:fs";
import { resolve } from "node:path";
import {
  refusalOf,
  renderRestoreMarkdown,
  restoreArchivedGoal,
} from "../../control-plane/archive/index.ts";
import type { Invocation } from "../catalogue/dispatch.ts";
import type { Context } from "../context.ts";
import { shellWords } from "../shell-words.ts";
import { findRegistryFile, repeatedFlags, runtimeRootOverride } from "../target.ts";

export async function run(context: Context, { args, options }: Invocation): Promise<number> {
  const given = args[0] as string;
  const path = given.includes("/") ? resolve(context.cwd, given) : given;
  const payload = await restoreArchivedGoal(context.seams, {
    registryPath: findRegistryFile(context),
    runtimeRootOverride: runtimeRootOverride(context) ?? null,
    name: path.includes("/") && !existsSync(path) ? given : path,
    execute: (options as { execute?: boolean }).execute ?? false,
    home: context.home,
  });
  const refusal = refusalOf(payload);
  if (refusal !== undefined) throw refusal;
  const next = payload.restored
    ? null
    : shellWords([
        "loopwright",
        ...repeatedFlags(context),
        "archive",
        "restore",
        payload.source,
        "--execute",
      ]);
  context.output.document({ ...payload, next_command: next });
  context.output.line(renderRestoreMarkdown(payload));
  if (next !== null) {
    context.output.line();
    context.output.line(`Do it with: ${next}`);
  }
  return 0;
}
