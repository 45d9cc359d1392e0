import type { ActionDivergence } from "@loopwright/protocol";

/** `diverged`: not aligned, whichever divergence explains it best. */
export type Row = readonly [
  a: string,
  b: string,
  verdict: "aligned" | "diverged" | ActionDivergence,
];
