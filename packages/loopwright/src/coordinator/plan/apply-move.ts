import { stateEditedByHandWarning } from "@loopwright/engine";
import type { RecordData } from "@loopwright/protocol";
import {
  digestOfText,
  nextActionOf,
  readActiveState,
  replaceActiveState,
  withNextAction,
} from "../../control-plane/active-state/index.ts";
import type { Disk } from "../../store/disk.ts";

type Move = RecordData<"next_action_moved">;

/**
 * Makes `ACTIVE_STATE.md` what a move that is in force says, if it still is what it was before. Returns the drift when
 * somebody else wrote it meanwhile: that text stands. Repeating it changes nothing. Throws what the disk says.
 */
export function applyMove(
  disk: Disk,
  path: string,
  move: Move,
  goalId: string,
): RecordData<"drift_detected"> | undefined {
  const text = readActiveState(path);
  const digest = text === undefined ? null : digestOfText(text);
  if (digest === move.to_sha256) return undefined;
  if (digest === move.from_sha256) {
    const written = withNextAction(text ?? "", move.text, move.updated_at);
    if (replaceActiveState(disk, path, digest, written)) return undefined;
    return applyMove(disk, path, move, goalId);
  }
  if (text !== undefined && nextActionOf(text) === move.text) return undefined;
  const warning = stateEditedByHandWarning({
    file: "ACTIVE_STATE.md",
    expectedDigests: [...(move.from_sha256 === null ? [] : [move.from_sha256]), move.to_sha256],
    actualDigest: digest,
    pendingMove: { iteration: move.iteration, text: move.text },
    goalId,
  });
  if (warning === null) return undefined;
  return {
    kind: warning.kind,
    severity: warning.severity,
    detail: `${warning.reason} It was: "${move.text.slice(0, 600)}".`,
  };
}
