import {
  type DriftEvidence,
  type DriftFactWarning,
  type DriftSeverity,
  SCHEMA_VERSION,
} from "@loopwright/protocol";

const MOST_EVIDENCE = 40;

/** For the command that settles a warning: `GOAL` where the caller has no id at hand. */
export interface AboutGoal {
  readonly goalId?: string;
}

export interface WarningParts {
  readonly kind: DriftFactWarning["kind"];
  readonly severity: DriftSeverity;
  readonly reason: string;
  readonly recommended: string;
  readonly evidence: readonly DriftEvidence[];
}

export function warn({
  kind,
  severity,
  reason,
  recommended,
  evidence,
}: WarningParts): DriftFactWarning {
  return {
    schema_version: SCHEMA_VERSION,
    kind,
    severity,
    reason,
    recommended_action: recommended,
    evidence: evidence.slice(0, MOST_EVIDENCE),
  };
}

/** Digests are compared whole and shown short. */
export function shortDigest(digest: string | null): string {
  return digest === null ? "missing" : digest.slice(0, 12);
}
