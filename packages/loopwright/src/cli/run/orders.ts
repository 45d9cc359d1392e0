import type { Opening } from "../../coordinator/open-session.ts";

/** What `run` tells its coordinator on stdin, as one line of JSON. */
export interface CoordinatorOrder {
  readonly runtimeRoot: string;
  readonly goalId: string;
  readonly open: Opening;
}

/** What `run` tells its worker on stdin. Tokens travel through `coordinator.json`, never through argv. */
export interface WorkerOrder {
  readonly sessionDirectory: string;
  readonly checkout: string;
  readonly takeOver: boolean;
}

/** What a child says on stdout, one line of JSON each. */
export type ChildMessage =
  | { readonly type: "serving"; readonly sessionId: string; readonly url: string }
  | { readonly type: "trouble"; readonly message: string }
  | {
      readonly type: "refused";
      readonly code: string;
      readonly message: string;
      readonly hint?: string | undefined;
    }
  | { readonly type: "stopped" };

/** Reads the order; undefined when whoever started us went away without one. */
export async function readOrder<T>(): Promise<T | undefined> {
  let text = "";
  for await (const chunk of process.stdin.setEncoding("utf8")) text += String(chunk);
  return text.trim() === "" ? undefined : (JSON.parse(text) as T);
}

export function tellParent(message: ChildMessage): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
