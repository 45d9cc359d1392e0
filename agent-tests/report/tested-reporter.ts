import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { Reporter, TestCase, TestModule } from "vitest/node";
import { CLIS } from "../clis/names.ts";
import { type Tested, withSections } from "./tested-page.ts";

const PAGE = fileURLToPath(new URL("../../docs/internals/agents-tested.md", import.meta.url));

/** Writes what the CLIs' test files found out into the documentation; a run of single tests writes nothing. */
export default class TestedReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tested = modules.flatMap((module) => testedOf(module) ?? []);
    if (tested.length === 0) return;
    const page = readFileSync(PAGE, "utf8");
    writeFileSync(PAGE, withSections(page, tested));
  }
}

function testedOf(module: TestModule): Tested | undefined {
  const cli = basename(module.moduleId, ".test.ts");
  const known = CLIS.find(({ name }) => name === cli);
  const tests = [...module.children.allTests()];
  // With -t, what wasn't asked for is skipped; a test that is left out on purpose says why.
  const partly = tests.some((test) => test.result().state === "skipped" && noteOf(test) === "");
  if (known === undefined || tests.length === 0 || partly) return undefined;
  const scenarios = tests.map((test) => {
    const { state } = test.result();
    return { name: test.name, result: state === "skipped" ? `left out: ${noteOf(test)}` : state };
  });
  return {
    cli,
    title: known.title,
    version: known.version,
    date: new Date().toISOString().slice(0, 10),
    machine: `Node ${process.version}, ${process.platform} ${process.arch}`,
    scenarios,
  };
}

function noteOf(test: TestCase): string {
  const result = test.result();
  return result.state === "skipped" ? (result.note ?? "") : "";
}
