import { afterEach } from "vitest";
import { createScratch, type Scratch, type ScratchOptions } from "./scratch.ts";

/** Rooms of the test that runs, closed after it. Call once at the top of a test file. */
export function useRooms(): (options?: ScratchOptions) => Promise<Scratch> {
  const open: Scratch[] = [];
  afterEach(async () => {
    for (const scratch of open.splice(0)) await scratch.close();
  });
  return async (options) => {
    const scratch = await createScratch(options);
    open.push(scratch);
    return scratch;
  };
}
