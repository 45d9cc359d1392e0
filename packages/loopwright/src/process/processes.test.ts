import { expect, it } from "vitest";
import { createProcesses } from "./processes.ts";

it("refuses a platform that it can't supervise, in one sentence", () => {
  expect(() => createProcesses("win32")).toThrow('Loopwright cannot supervise agents on "win32".');
});
