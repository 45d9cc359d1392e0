import { afterAll, afterEach } from "vitest";
import { createScratch, type Scratch, type ScratchOptions } from "./scratch.ts";

/** Rooms that are closed after each test, or after the tests of the file. Call once at the top of a test file. */
export function useRooms(
  lifetime: "test" | "file" = "test",
): (options?: ScratchOptions) => Promise<Scratch> {
  const open: Scratch[] = [];
  const close = async (): Promise<void> => {
    for (const scratch of open.splice(0)) await scratch.close();
  };
  if (lifetime === "test") afterEach(close);
  else afterAll(close);
  return async (options) => {
    const scratch = await createScratch(options);
    open.push(scratch);
    return scratch;
  };
}
