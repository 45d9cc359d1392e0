import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Room } from "./room.ts";

const LOOP = `while ((++i <= $1)); do LOOPWRIGHT_ITERATION=$i "$2" <"$3" >"$4" 2>&1; done`;

/** The peer: a plain `while` loop around the same program, in the same repository. Nothing is kept, nothing is synced. */
export function runBashLoop(room: Room, iterations: number): void {
  const plain = join(room.directory, "plain");
  mkdirSync(join(plain, "out"), { recursive: true });
  const [prompt, output] = [join(plain, "prompt.md"), join(plain, "output.log")];
  writeFileSync(prompt, "Do the next step.\n".repeat(50));
  const program = join(room.directory, "agent.sh");
  execFileSync("bash", ["-c", LOOP, "loop", String(iterations), program, prompt, output], {
    cwd: room.repository,
    env: {
      ...room.environment,
      LOOPWRIGHT_ATTEMPT: "plain",
      LOOPWRIGHT_PATHS: join(plain, "paths.json"),
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
}
