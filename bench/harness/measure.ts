import type { Product } from "./product.ts";

/** One number and what it is to be held against. Machines differ, so a row tells; it never fails. */
export interface Row {
  readonly what: string;
  /** A median unless `what` says otherwise. */
  readonly value: number;
  readonly unit: "ms" | "µs" | "MB" | "×" | "bytes";
  readonly aim?: string;
  /** The same thing done by a peer in the same run. */
  readonly peer?: { readonly name: string; readonly value: number };
}

export interface Measure {
  readonly name: string;
  readonly title: string;
  run(product: Product): Promise<Row[]>;
}
