import { dirname, join } from "node:path";
import type { CheckResult, Pins, Receipt, Replaced } from "@loopwright/protocol";
import { LoopwrightError } from "@loopwright/protocol";
import { git, type Gone, type Snapshot } from "../git/index.ts";
import { timestamp } from "../seams/clock.ts";
import { type Disk, makeOwnDirectory, writeDurable } from "../store/index.ts";
import type { PinStore } from "./pin-store.ts";
import { restoreProtected } from "./restore.ts";
import { runCheck } from "./run-check.ts";
import type { CommandSeams } from "./run-command.ts";

export interface VerificationSeams extends CommandSeams {
  readonly disk: Disk;
  readonly store: PinStore;
  /** Reads the checkout: `openCheckoutReader(…).snapshot`. */
  snapshot(): Promise<Snapshot | Gone>;
}

export interface VerificationRequest {
  /** Real path of the work tree. */
  readonly checkout: string;
  /** Commit that the checkout's repository must have, to be the one that the pins were taken in. */
  readonly baseCommit?: string | null;
  readonly pins: Pins;
  readonly protect: readonly string[];
  readonly checksDirectory: string | undefined;
  readonly sessionId: string;
  readonly attemptId: string;
  readonly kind: Receipt["kind"];
  /** `evaluations/<NNNN>-<k>`. */
  readonly directory: string;
  /** Receipts that may stand for this one; those that the journal vouches for. */
  readonly reuse: readonly { readonly directory: string; readonly receipt: Receipt }[];
  /** The user's: `process.env`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** `cancelled`: by the signal; nothing of it runs, nothing was decided. `impossible`: one sentence, and no verdict. */
export type VerificationEnd =
  | { readonly kind: "receipt"; readonly receipt: Receipt }
  | { readonly kind: "cancelled" }
  | { readonly kind: "impossible"; readonly problem: string; readonly gone: boolean };

/**
 * Puts protected files back, takes the tree digest, and then runs the pinned checks in order, or lets an earlier
 * receipt of the same tree and the same checks stand for them. `receipt.json` is written last and durably: without it
 * the verification never happened and is repeated. Checks come from the pins, never from the tree.
 */
export async function runVerification(
  request: VerificationRequest,
  seams: VerificationSeams,
): Promise<VerificationEnd> {
  const startedAt = timestamp(seams.clock);
  // Before anything is put back: it would go into somebody else's files.
  if (!(await isSameRepository(request))) {
    const problem = `${request.checkout} is not the repository that the session began in: it lacks the commit ${request.baseCommit}.`;
    return { kind: "impossible", problem, gone: true };
  }
  makeOwnDirectory(seams.disk, dirname(dirname(request.directory)), request.directory);
  const restored = restore(request, seams);
  if (typeof restored === "string") return { kind: "impossible", problem: restored, gone: false };
  const before = await seams.snapshot();
  if ("gone" in before) return { kind: "impossible", problem: before.reason, gone: true };
  const finish = (
    found: Pick<Receipt, "checks" | "tree_changed" | "leftovers" | "outcome" | "reused">,
  ): VerificationEnd => {
    const receipt: Receipt = {
      schema_version: 1,
      session_id: request.sessionId,
      attempt_id: request.attemptId,
      kind: request.kind,
      commit: before.head,
      tree_digest: before.tree,
      replaced: restored,
      ...found,
      started_at: startedAt,
      finished_at: timestamp(seams.clock),
    };
    const text = `${JSON.stringify(receipt, null, 2)}\n`;
    writeDurable(seams.disk, join(request.directory, "receipt.json"), text);
    return { kind: "receipt", receipt };
  };

  const known = request.reuse.find(({ receipt }) => stands(receipt, before.tree, request.pins));
  if (known !== undefined) {
    const { checks, outcome, reused } = known.receipt;
    const standing = checks.map((check) => ({ ...check, output: null }));
    return finish({
      checks: standing,
      outcome,
      reused: reused ?? known.directory,
      tree_changed: false,
      leftovers: [],
    });
  }

  const checks: CheckResult[] = [];
  const leftovers: Receipt["leftovers"] = [];
  for (const check of request.pins.checks) {
    if (request.signal.aborted) return { kind: "cancelled" };
    const run = await runCheck(check, { ...request, ...seams });
    checks.push(run.result);
    leftovers.push(...run.leftovers);
  }
  if (request.signal.aborted) return { kind: "cancelled" };
  const after = await seams.snapshot();
  if ("gone" in after) return { kind: "impossible", problem: after.reason, gone: true };
  return finish({
    checks,
    leftovers: leftovers.slice(0, 64),
    outcome: outcomeOf(checks),
    tree_changed: after.tree !== before.tree,
    reused: null,
  });
}

/** An error anywhere required says nothing about the goal; else one failure is enough. */
export function outcomeOf(
  checks: readonly Pick<CheckResult, "required" | "outcome">[],
): Receipt["outcome"] {
  const required = checks.filter((check) => check.required).map(({ outcome }) => outcome);
  if (required.includes("error")) return "error";
  return required.includes("fail") ? "fail" : "pass";
}

/** Same tree, same checks in the same order, and a verdict: an error is never one. */
function stands(receipt: Receipt, tree: string, pins: Pins): boolean {
  const key = (checks: readonly { id: string; sha256: string; required: boolean }[]): string =>
    JSON.stringify(checks.map(({ id, sha256, required }) => [id, sha256, required]));
  return (
    receipt.outcome !== "error" &&
    receipt.tree_digest === tree &&
    key(receipt.checks) === key(pins.checks)
  );
}

async function isSameRepository({ checkout, baseCommit }: VerificationRequest): Promise<boolean> {
  if (baseCommit === undefined || baseCommit === null) return true;
  const { code } = await git(["cat-file", "-e", baseCommit], { cwd: checkout });
  // Any other failure says nothing about it; taking the snapshot tells what is wrong.
  return code !== 1;
}

function restore(request: VerificationRequest, seams: VerificationSeams): Replaced[] | string {
  try {
    return restoreProtected({
      ...request,
      store: seams.store,
      asideDirectory: join(request.directory, "replaced"),
    });
  } catch (error) {
    if (error instanceof LoopwrightError)
      return error.hint === undefined ? error.message : `${error.message}. ${error.hint}`;
    const reason = error instanceof Error ? error.message : String(error);
    return `Protected files in ${request.checkout} can't be put back: ${reason}`;
  }
}
