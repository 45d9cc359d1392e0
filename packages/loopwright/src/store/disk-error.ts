import { LoopwrightError } from "@loopwright/protocol";

/** What the disk refused, as an error for people: DISK_FULL when space or quota ran out, else DISK_FAILED. */
export function diskError(error: unknown, path: string): LoopwrightError {
  if (error instanceof LoopwrightError) return error;
  const code = errorCode(error);
  if (code === "ENOSPC" || code === "EDQUOT") {
    return new LoopwrightError("DISK_FULL", `No space left on the disk to write ${path}`, {
      hint: "Free some space; Loopwright goes on where it stopped.",
      where: path,
      cause: error,
    });
  }
  return new LoopwrightError(
    "DISK_FAILED",
    `The disk refused to write ${path} (${reason(error)})`,
    {
      where: path,
      cause: error,
    },
  );
}

/** Node's error code (`ENOENT`), or undefined where the error has none. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
}

function reason(error: unknown): string {
  return errorCode(error) ?? (error instanceof Error ? error.message : String(error));
}
