import { run } from "./run.ts";

// Repairs first: what they leave is formatted by the second.
for (const [tool, ...args] of [["oxlint", "--fix"], ["oxfmt"]] as const) {
  const { ok, output } = run(tool, args);
  if (!ok) {
    process.stdout.write(output);
    process.exitCode = 1;
  }
}
