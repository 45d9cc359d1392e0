import { build } from "./build.ts";
import { checkPack } from "./check-pack.ts";
import { checkFloors, checkLinks, checkSizes } from "./checks-of-sources.ts";
import { run, type RunResult } from "./run.ts";

const CHECKS: Readonly<Record<string, () => RunResult>> = {
  types: () => run("tsc", ["-p", "."]),
  lint: () => run("oxlint", []),
  floors: checkFloors,
  sizes: checkSizes,
  format: () => run("oxfmt", ["--check"]),
  "dead-code": () => run("knip", ["--no-progress"]),
  links: checkLinks,
  build: () => {
    build();
    return { ok: true, output: "" };
  },
  "publint-protocol": () => run("publint", ["--strict", "packages/protocol"]),
  "publint-engine": () => run("publint", ["--strict", "packages/engine"]),
  "publint-loopwright": () => run("publint", ["--strict", "packages/loopwright"]),
  pack: checkPack,
};

/** `./dev check [name …]`; the last line is `checks: N passed, N failed`. */
function main(names: readonly string[]): void {
  const unknown = names.filter((name) => CHECKS[name] === undefined);
  if (unknown.length > 0) {
    console.error(
      `check: there is no ${unknown.map((name) => `"${name}"`).join(", ")}; there is ${Object.keys(CHECKS).join(", ")}.`,
    );
    process.exitCode = 2;
    return;
  }
  let failed = 0;
  const chosen = Object.entries(CHECKS).filter(
    ([name]) => names.length === 0 || names.includes(name),
  );
  for (const [name, check] of chosen) {
    const start = performance.now();
    const { ok, output } = attempt(check);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`${ok ? "passed" : "FAILED"} ${name} (${seconds} s)`);
    if (!ok || output.startsWith("warning:"))
      process.stdout.write(output.replaceAll(/^(?=.)/gm, "  "));
    if (!ok) failed += 1;
  }
  console.log(`checks: ${chosen.length - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

function attempt(check: () => RunResult): RunResult {
  try {
    return check();
  } catch (error) {
    return { ok: false, output: `${(error as Error).message}\n` };
  }
}

main(process.argv.slice(2));
