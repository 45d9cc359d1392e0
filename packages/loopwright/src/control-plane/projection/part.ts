import { LoopwrightError, type Projection, type SourcePrint } from "@loopwright/protocol";
import { isUnchanged, printOf } from "./source-print.ts";

/** What one source says. */
export interface Part<T> {
  readonly value: T;
  readonly print: SourcePrint;
  /** It was read now: the source had changed, or nothing was known of it. */
  readonly fresh: boolean;
}

export interface Source<T> {
  /** What the projection calls it. */
  readonly name: string;
  readonly path: string;
  readonly known: { readonly value: T; readonly print: SourcePrint | null } | undefined;
  /** Where it can't be read. */
  readonly otherwise: T;
  read(): { readonly value: T; readonly digest?: string | null };
}

export type Problems = Projection["problems"];

/** What is known of a source while it is unchanged, else what it says now. What can't be read is added to `problems`. */
export function partOf<T>(source: Source<T>, problems: Problems): Part<T> {
  const { name, path, known } = source;
  if (known !== undefined && known.print !== null && isUnchanged(known.print, path)) {
    return { value: known.value, print: known.print, fresh: false };
  }
  const print = printOf(name, path);
  try {
    const { value, digest = null } = source.read();
    return { value, print: { ...print, digest }, fresh: true };
  } catch (error) {
    tell(problems, error);
    return { value: source.otherwise, print, fresh: true };
  }
}

/** Throws what isn't an error of a file. */
export function tell(problems: Problems, error: unknown): void {
  if (!(error instanceof LoopwrightError)) throw error;
  problems.push({ code: error.code, message: error.message });
}
