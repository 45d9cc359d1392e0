import { readFileSync } from "node:fs";
import { LoopwrightError, type Pins, plural } from "@loopwright/protocol";
import { loadChecks } from "./check-file.ts";
import type { PinStore } from "./pin-store.ts";
import { standing } from "./plain-file.ts";
import { createProtection, type Protection } from "./protected-globs.ts";
import { linkTarget, walkProtected } from "./protected-walk.ts";

export interface PinRequest {
  /** Real path of the work tree. */
  readonly checkout: string;
  /** Relative to the checkout; undefined: there are no checks. */
  readonly checksDirectory: string | undefined;
  readonly protect: readonly string[];
  readonly store: PinStore;
}

/**
 * Freezes the checks and everything that is protected, as the work tree stands: content goes into the store, durable
 * before this returns. Throws CONFIGURATION_INVALID with all problems of the checks.
 */
export function pinChecksAndProtected(request: PinRequest): Pins {
  const { checkout, checksDirectory, store } = request;
  const { checks, problems } = loadChecks(checkout, checksDirectory);
  const errors = problems.filter(({ severity }) => severity === "error");
  if (errors.length > 0) {
    const message = `The checks in ${checksDirectory} have ${plural(errors.length, "problem")}`;
    throw new LoopwrightError("CONFIGURATION_INVALID", message, { problems });
  }
  const files: Pins["files"] = [];
  const links: Pins["links"] = [];
  for (const { path, place, kind } of walkProtected(checkout, protectionOf(request))) {
    const found = standing(place);
    const target = linkTarget(place);
    if (kind === "link" && target !== undefined) links.push({ path, target });
    if (found.kind !== "file") continue;
    const mode = (found.mode & 0o100) === 0 ? "100644" : "100755";
    files.push({ path, sha256: store.put(readFileSync(place)), mode });
  }
  return { checks, files: files.sort(byPath), links: links.sort(byPath) };
}

/** The checks' own directory is protected like what `gate.protect` names. */
export function protectionOf({
  checksDirectory,
  protect,
}: {
  readonly checksDirectory: string | undefined;
  readonly protect: readonly string[];
}): Protection {
  const own = checksDirectory?.replace(/^(?:\.\/)+/, "").replace(/\/+$/, "");
  const inside = own !== undefined && own !== "" && !/^(?:\/|\.\.(?:\/|$))/.test(own);
  // Matched on their own, so that no `!glob` takes the checks out.
  const user = createProtection(protect);
  if (!inside) return user;
  const checks = createProtection([own]);
  return {
    matches: (path) => user.matches(path) || checks.matches(path),
    mayHold: (directory) => user.mayHold(directory) || checks.mayHold(directory),
  };
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : 1;
}
