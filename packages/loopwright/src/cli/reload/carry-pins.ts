import { isDeepStrictEqual } from "node:util";
import type { Configuration, Pins } from "@loopwright/protocol";
import { type PinStore, pinChecksAndProtected } from "../../evaluation/index.ts";
import { protectionOf } from "../../evaluation/pins.ts";

type Gate = Configuration["gate"];

export interface CarryRequest {
  readonly checkout: string;
  readonly store: PinStore;
  readonly pins: Pins;
  readonly before: Gate;
  readonly now: Gate;
}

/**
 * The pins under another configuration: what was protected already keeps its pinned content, whatever stands in the work
 * tree (`check --repin` accepts that); what is protected only now is pinned as it stands.
 */
export function carryPins({ checkout, store, pins, before, now }: CarryRequest): Pins {
  if (before.checks === now.checks && isDeepStrictEqual(before.protect, now.protect)) return pins;
  const was = protectionOf({ checksDirectory: before.checks, protect: before.protect });
  const is = protectionOf({ checksDirectory: now.checks, protect: now.protect });
  const request = { checkout, checksDirectory: now.checks, protect: now.protect, store };
  const fresh = pinChecksAndProtected(request);
  const carry = <T extends { readonly path: string }>(
    pinned: readonly T[],
    standing: readonly T[],
  ): T[] =>
    [
      ...pinned.filter(({ path }) => is.matches(path)),
      ...standing.filter(({ path }) => !was.matches(path)),
    ].sort((a, b) => (a.path < b.path ? -1 : 1));
  return {
    checks: before.checks === now.checks ? pins.checks : fresh.checks,
    files: carry(pins.files, fresh.files),
    links: carry(pins.links, fresh.links),
  };
}
