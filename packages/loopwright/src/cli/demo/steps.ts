import { spawn } from "node:child_process";
import type { Scratch } from "./scratch.ts";

/** Runs one `loopwright` command as a user would, in the scratch repository; its output goes where ours goes. */
export function step(scratch: Scratch, words: readonly string[], show: boolean): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...process.execArgv, mainScript(), ...words], {
      cwd: scratch.repository,
      env: scratch.environment,
      stdio: ["ignore", show ? "inherit" : "ignore", "inherit"],
    });
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
  });
}

function mainScript(): string {
  const script = process.argv[1];
  if (script === undefined) throw new Error("started without a script");
  return script;
}
