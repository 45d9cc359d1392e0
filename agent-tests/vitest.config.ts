import { defineConfig } from "vitest/config";

/** Apart from the other tests: these need the agent CLIs, more than a gigabyte of them, and minutes. */
export default defineConfig({
  resolve: { conditions: ["loopwright-source"] },
  ssr: { resolve: { conditions: ["loopwright-source"] } },
  test: {
    include: ["agent-tests/**/*.test.ts"],
    testTimeout: 300_000,
    hookTimeout: 120_000,
    pool: "forks",
    // Each CLI takes a core while it starts; together they would run into their own time limits.
    maxWorkers: 1,
    reporters: ["default", "./agent-tests/report/tested-reporter.ts"],
  },
});
