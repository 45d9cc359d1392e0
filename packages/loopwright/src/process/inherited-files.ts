import { closeSync, readdirSync, readFileSync } from "node:fs";
import { CHANNEL } from "./order.ts";

const CLOSE_ON_EXEC = 0o2000000;

/**
 * Closes descriptors that came down to us from whoever started the worker and would go on to the agent: a pipe whose
 * reader waits for its end, a lock. Node closes only the low ones by itself. Where there is no `/proc`, nothing.
 */
export function closeInheritedFiles(): void {
  for (const file of listFiles()) {
    if (file <= CHANNEL || isClosedOnExec(file)) continue;
    try {
      closeSync(file);
    } catch {
      // The descriptor of the listing itself, closed by now.
    }
  }
}

function listFiles(): number[] {
  try {
    return readdirSync("/proc/self/fd").map(Number);
  } catch {
    return [];
  }
}

function isClosedOnExec(file: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(
      readFileSync(`/proc/self/fdinfo/${file}`, "latin1"),
    )?.[1];
    return (Number.parseInt(flags ?? "0", 8) & CLOSE_ON_EXEC) !== 0;
  } catch {
    return true;
  }
}
