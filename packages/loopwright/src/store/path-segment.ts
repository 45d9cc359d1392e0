import { type ErrorCode, isReservedName, LoopwrightError } from "@loopwright/protocol";

const SEGMENT = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** The name as it is when it may become one component of a path, on every platform; else throws `code`. */
export function pathSegment(name: string, what: string, code: ErrorCode): string {
  if (isPathSegment(name)) return name;
  const shown = JSON.stringify(name.length > 120 ? `${name.slice(0, 120)}…` : name);
  throw new LoopwrightError(code, `${shown} is not a valid ${what}`);
}

export function isPathSegment(name: string): boolean {
  return SEGMENT.test(name) && !name.endsWith(".") && !isReservedName(name);
}
