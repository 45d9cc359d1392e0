import { join } from "node:path";
import { LoopwrightError } from "@loopwright/protocol";
import { commitOffline } from "../../coordinator/offline.ts";
import { createPinStore, pinChecksAndProtected } from "../../evaluation/index.ts";
import { writeFrozen } from "../../store/frozen-file.ts";
import type { Context } from "../context.ts";
import { differingPaths, diffTexts } from "../diff/diff-texts.ts";
import { refuseMet, refuseMoved, refuseWhileAtWork, refuseWhileHeld } from "../idle-session.ts";
import type { OpenedSession } from "../open-session.ts";
import type { GoalTarget } from "../target.ts";
import { VERSION } from "../version.ts";
import { pinnedTexts } from "./pinned-texts.ts";

export interface Repinned {
  /** Paths that differ from what was pinned before; none: nothing was journaled. */
  readonly files: readonly string[];
  readonly diff: string;
  /** Absolute. */
  readonly diffPath: string | null;
  readonly seq: number;
}

/**
 * Pins checks and protected files of a session that nobody runs at the moment as the work tree has them, and journals
 * it. Throws SESSION_RUNNING, SESSION_ENDED, STATE_MOVED, CONFIGURATION_INVALID with all problems of the checks.
 */
export async function repin(
  context: Context,
  target: GoalTarget,
  opened: OpenedSession,
): Promise<Repinned> {
  const { id, layout, session, state } = opened;
  refuseWhileHeld(context, target, {
    why: "which keeps the checks that it has pinned",
    hint: "Stop it first: loopwright stop. Then: loopwright check --repin, and: loopwright resume",
  });
  refuseWhileAtWork(context, state);
  refuseMet(state);
  const { seams } = context;
  const { gate } = session.configuration;
  const store = createPinStore(seams.disk, target.layout.pins);
  const before = pinnedTexts(session.pins, store);
  const pins = pinChecksAndProtected({
    checkout: session.repository,
    checksDirectory: gate.checks,
    protect: gate.protect,
    store,
  });
  if (pins.checks.length === 0 && session.pins.checks.length > 0) {
    throw new LoopwrightError("CONFIGURATION_INVALID", `No check is left in ${gate.checks}`, {
      where: gate.checks,
      hint: "Without checks every claim would end the session; start a new one for that: loopwright run --new",
    });
  }
  const now = pinnedTexts(pins, store);
  const files = differingPaths(before, now);
  if (files.length === 0) return { files, diff: "", diffPath: null, seq: state.seq };
  const diff = await diffTexts(before, now);
  const frozen = writeFrozen(seams.disk, layout, { schema_version: 1, ...pins }, diff);
  const { seq } = await commitOffline(
    {
      seams,
      runtimeRoot: target.runtimeRoot,
      goalId: target.goal.id,
      sessionId: id,
      version: VERSION,
    },
    (found) => {
      refuseMoved(opened, found);
      const checks = pins.checks.map(({ id: check, sha256, required }) => ({
        id: check,
        sha256,
        required,
      }));
      const { sha256: pins_sha256, diffPath: diff_path } = frozen;
      const change = { by: "user", checks, files, pins_sha256, diff_path };
      return { kind: "repin", repin: change };
    },
  );
  const diffPath = frozen.diffPath === null ? null : join(layout.directory, frozen.diffPath);
  return { files, diff, diffPath, seq };
}
