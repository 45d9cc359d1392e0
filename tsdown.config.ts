import { defineConfig } from "tsdown";
import { thirdPartyLicences } from "./scripts/third-party-licences.ts";

const shared = {
  format: "esm",
  platform: "node",
  target: "node20.19",
  fixedExtension: true,
  logLevel: "warn",
  failOnWarn: true,
  suppressWarnings: /TypeScript 7\.0 does not yet have a stable API/,
  hash: false,
  checks: { pluginTimings: false },
} as const;

/** A library keeps its dependencies outside; types come with it. */
const library = (folder: string) => ({
  ...shared,
  cwd: `packages/${folder}`,
  entry: ["src/index.ts"],
  tsconfig: "../../tsconfig.build.json",
  dts: true,
  sourcemap: false,
});

export default defineConfig([
  library("protocol"),
  library("engine"),
  {
    // The product has no runtime dependencies: everything is in dist. What another process starts by path is an entry
    // of its own, and all chunks lie flat in dist, so that `new URL("./shim.mjs", import.meta.url)` holds everywhere.
    ...shared,
    cwd: "packages/loopwright",
    entry: { main: "src/cli/main.ts", shim: "src/process/shim.ts" },
    tsconfig: "../../tsconfig.build.json",
    dts: false,
    sourcemap: false,
    deps: { onlyBundle: false },
    inputOptions: {
      resolve: { conditionNames: ["loopwright-source", "node", "import", "default"] },
    },
    plugins: [thirdPartyLicences()],
  },
]);
