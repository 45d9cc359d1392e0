import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["loopwright-source"] },
  ssr: { resolve: { conditions: ["loopwright-source"] } },
  test: {
    include: ["packages/*/src/**/*.test.ts", "tests/**/*.test.ts", "scripts/**/*.test.ts"],
    // A deadline that passes is a failure on any machine, so it is far away; tests wait for conditions, not for it.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: "forks",
    // Most of what the tests of processes do is wait.
    maxWorkers: 3,
  },
});
