import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LoopwrightError, type Receipt } from "@loopwright/protocol";
import { loadProject } from "../../control-plane/project/load-project.ts";
import { pinChecksAndProtected } from "../../evaluation/index.ts";
import { createPinStore } from "../../evaluation/pin-store.ts";
import type { Context } from "../context.ts";
import { countProblems } from "../output/problems.ts";
import type { ProjectTarget } from "../project-target.ts";
import { runChecks } from "./run-checks.ts";

/**
 * Runs the checks of a project as its work tree stands: nothing is put back, because everything is pinned just now.
 * @returns the receipt, and the temporary directory with everything of it, which the caller removes
 */
export async function checkProject(
  { seams, environment }: Context,
  { root, configName }: ProjectTarget,
  signal: AbortSignal,
): Promise<{ receipt: Receipt; temporary: string; outputs: string }> {
  const { project, problems } = loadProject(root, configName);
  if (project === undefined) {
    throw new LoopwrightError(
      "CONFIGURATION_INVALID",
      `The checks can't be read: ${countProblems(problems)}`,
      { problems },
    );
  }
  const { gate } = project.configuration;
  const temporary = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-check-")));
  const pinStore = join(temporary, "pins");
  const pins = pinChecksAndProtected({
    checkout: realpathSync(root),
    checksDirectory: gate.checks,
    protect: gate.protect,
    store: createPinStore(seams.disk, pinStore),
  });
  const outputs = join(temporary, "outputs");
  const receipt = await runChecks(seams, {
    checkout: realpathSync(root),
    pins,
    pinStore,
    protect: gate.protect,
    checksDirectory: gate.checks,
    sessionId: "00000000T000000Z-000000000000",
    directory: outputs,
    cache: join(temporary, "cache"),
    environment,
    signal,
  });
  return { receipt, temporary, outputs };
}
