import { type DriftFactWarning, plural } from "@loopwright/protocol";
import { type AboutGoal, shortDigest, warn } from "./warn.ts";

export interface PinnedFile {
  readonly path: string;
  /** sha256 that the session pinned. */
  readonly pinned: string;
  /** Of the file now; null when it is gone. */
  readonly actual: string | null;
}

export interface PinFacts extends AboutGoal {
  readonly files: readonly PinnedFile[];
}

/** Checks, or files that they protect, differ from their pinned copies. The pinned copies are what runs. */
export function checksTamperedWarning({
  files,
  goalId = "GOAL",
}: PinFacts): DriftFactWarning | null {
  const changed = files.filter(({ pinned, actual }) => pinned !== actual);
  const [first] = changed;
  if (first === undefined) return null;
  return warn({
    kind: "checks_tampered",
    severity: "action",
    reason: `${changed.length === 1 ? `${first.path} differs` : `${plural(changed.length, "pinned file")} differ`} from what this session pinned; the pinned ${changed.length === 1 ? "copy is" : "copies are"} still what is judged by.`,
    recommended: `Look at what changed (git diff), put it back, or start a session with the new checks: loopwright run --goal ${goalId} --new`,
    evidence: changed.flatMap(({ path, pinned, actual }) => [
      {
        source: path,
        says: `was pinned as ${shortDigest(pinned)} and is ${actual === null ? "missing" : `now ${shortDigest(actual)}`}`,
      },
    ]),
  });
}
