import { type ErrorCode, ERROR_TABLE, LoopwrightError } from "@loopwright/protocol";
import type { Context } from "../context.ts";
import { type Child, startChild } from "./child.ts";
import type { ChildMessage, CoordinatorOrder, WorkerOrder } from "./orders.ts";

/** What became of a child: it did its work, it was refused, or it crashed. */
export type ChildEnd =
  | { readonly kind: "done" }
  | { readonly kind: "refused"; readonly error: LoopwrightError }
  | { readonly kind: "crashed"; readonly code: number; readonly said: string };

export interface CrewMember<Order> {
  readonly pid: number;
  order(order: Order): void;
  dismiss(): void;
  terminate(): void;
  kill(): void;
  readonly ended: Promise<ChildEnd>;
}

export interface CoordinatorMember extends CrewMember<CoordinatorOrder> {
  /** Where it serves; undefined when it ended before. */
  readonly serving: Promise<{ sessionId: string; url: string } | undefined>;
}

export function startCoordinatorChild({ debug }: Pick<Context, "debug">): CoordinatorMember {
  const serving = Promise.withResolvers<{ sessionId: string; url: string } | undefined>();
  const { child, ended } = start("coordinator", debug, (message) => {
    if (message.type === "serving") serving.resolve(message);
  });
  void ended.then(() => serving.resolve(undefined));
  return { ...memberOf(child, ended), serving: serving.promise };
}

export function startWorkerChild({
  debug,
  output,
}: Pick<Context, "debug" | "output">): CrewMember<WorkerOrder> {
  const { child, ended } = start("worker", debug, (message) => {
    if (message.type === "trouble") output.progress(`worker: ${message.message}`);
  });
  return memberOf(child, ended);
}

function memberOf(child: Child, ended: Promise<ChildEnd>): CrewMember<object> {
  const { pid, order, dismiss, terminate, kill } = child;
  return { pid, order, dismiss, terminate, kill, ended };
}

function start(
  role: "coordinator" | "worker",
  debug: boolean,
  onMessage: (message: ChildMessage) => void,
): { child: Child; ended: Promise<ChildEnd> } {
  let refusal: LoopwrightError | undefined;
  const child = startChild(role, debug, (message) => {
    if (message.type === "refused") refusal = errorOf(message);
    onMessage(message);
  });
  const ended = child.exited.then((code): ChildEnd => {
    if (refusal !== undefined) return { kind: "refused", error: refusal };
    return code === 0 ? { kind: "done" } : { kind: "crashed", code, said: child.stderrTail() };
  });
  return { child, ended };
}

function errorOf({
  code,
  message,
  hint,
}: Extract<ChildMessage, { type: "refused" }>): LoopwrightError {
  const known = code in ERROR_TABLE ? (code as ErrorCode) : "UNEXPECTED";
  return new LoopwrightError(known, message, hint === undefined ? {} : { hint });
}
