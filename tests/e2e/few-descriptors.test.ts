import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const FIXTURE = fileURLToPath(new URL("fixtures/few-descriptors.ts", import.meta.url));

test("a process that can't be started for want of descriptors is told, and never ends us", () => {
  const script = 'ulimit -n 64; exec "$0" --conditions=loopwright-source "$1"';
  const text = execFileSync("sh", ["-c", script, process.execPath, FIXTURE], { encoding: "utf8" });
  const hint = "Allow more open files: ulimit -n 1024";
  expect(JSON.parse(text)).toEqual({
    child: [-1, `error: it could not be started (EMFILE)\nhint: ${hint}`],
    shim: [false, null],
    git: ["git version in / could not be started (EMFILE)", hint],
    notified: false,
  });
});
