import { type ErrorCode, LoopwrightError } from "@loopwright/protocol";

/** One thing that was looked at before a move, in order. The first that is not ok ends it. */
export interface MoveCheck {
  readonly check: string;
  readonly ok: boolean;
  /** A sentence. */
  readonly detail: string;
  /** Of what is not ok. */
  readonly code?: ErrorCode;
  readonly hint?: string;
}

export interface MovePayload {
  /** False: refused, and nothing was changed; the last check says why. */
  readonly ok: boolean;
  readonly goal_id: string;
  readonly registry: string;
  /** Null when it couldn't be found out. */
  readonly runtime_root: string | null;
  readonly registry_member: boolean;
  readonly source: string;
  readonly dry_run: boolean;
  readonly action: "would-move" | "moved";
  readonly checks: readonly MoveCheck[];
}

/** What `archiveRuntimeGoal` answers. */
export interface ArchivePayload extends MovePayload {
  readonly archive_root: string;
  readonly archive_path: string;
  readonly archived: boolean;
}

/** What `restoreArchivedGoal` answers: `source` is the archive. */
export interface RestorePayload extends MovePayload {
  readonly restored_path: string;
  readonly restored: boolean;
}

/** Collects checks until one refuses. */
export function createChecks(): {
  readonly checks: MoveCheck[];
  pass(check: string, detail: string): void;
  /** Runs a step; what it throws as a LoopwrightError becomes the refusing check. Undefined: refused. */
  attempt<T>(
    check: string,
    step: () => { readonly value: T; readonly detail: string },
  ): T | undefined;
} {
  const checks: MoveCheck[] = [];
  return {
    checks,
    pass: (check, detail) => void checks.push({ check, ok: true, detail }),
    attempt(check, step) {
      try {
        const { value, detail } = step();
        checks.push({ check, ok: true, detail });
        return value;
      } catch (error) {
        if (!(error instanceof LoopwrightError)) throw error;
        const { code, message, hint } = error;
        checks.push({ check, ok: false, detail: message, code, ...(hint ? { hint } : {}) });
        return undefined;
      }
    },
  };
}

/** The refusal of a payload as the error that a command ends with; undefined when it is ok. */
export function refusalOf({ checks }: Pick<MovePayload, "checks">): LoopwrightError | undefined {
  const refused = checks.find(({ ok }) => !ok);
  if (refused === undefined) return undefined;
  return new LoopwrightError(
    refused.code ?? "UNEXPECTED",
    refused.detail,
    refused.hint === undefined ? {} : { hint: refused.hint },
  );
}
