/**
 * `./dev bench [name …] [--json]`: how fast the product is, beside a plain bash loop around the same program. It tells
 * and never fails for being slow: only ratios and medians of the same run mean anything.
 */
import { availableParallelism, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { coldStart } from "./cold-start.ts";
import { engineFold } from "./engine-fold.ts";
import { firstAgent } from "./first-agent.ts";
import { goals } from "./goals.ts";
import type { Measure, Row } from "./harness/measure.ts";
import { buildProduct } from "./harness/product.ts";
import { renderRows } from "./harness/table.ts";
import { history } from "./history.ts";
import { load } from "./load.ts";
import { memory } from "./memory.ts";
import { overhead } from "./overhead.ts";
import { serve } from "./serve.ts";

const MEASURES: readonly Measure[] = [
  overhead,
  firstAgent,
  coldStart,
  history,
  load,
  memory,
  engineFold,
  goals,
  serve,
];

process.exitCode = await main();

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { json: { type: "boolean", default: false } },
    allowPositionals: true,
  });
  const unknown = positionals.filter((word) => MEASURES.every(({ name }) => name !== word));
  if (unknown.length > 0) {
    const known = MEASURES.map(({ name }) => name).join(", ");
    console.error(`There is no benchmark "${unknown.join('", "')}"; there are: ${known}`);
    return 2;
  }
  const chosen = MEASURES.filter(
    ({ name }) => positionals.length === 0 || positionals.includes(name),
  );
  console.error("building what is published …");
  const product = buildProduct();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      product.remove();
      process.exit(130);
    });
  }
  const machine: Machine = {
    cores: availableParallelism(),
    node: process.version,
    busy: loadavg()[0] ?? 0,
  };
  try {
    if (!values.json) console.log(`${describe(machine)}\n`);
    const results: { name: string; title: string; rows: Row[] }[] = [];
    for (const measure of chosen) {
      const rows = await measure.run(product);
      results.push({ name: measure.name, title: measure.title, rows });
      if (!values.json) console.log(renderRows(measure, rows));
    }
    if (values.json) {
      const at = new Date().toISOString();
      console.log(JSON.stringify({ schema_version: 1, at, machine, results }, undefined, 2));
    }
    return 0;
  } finally {
    product.remove();
  }
}

interface Machine {
  readonly cores: number;
  readonly node: string;
  /** Processes that wanted to run, over the last minute. */
  readonly busy: number;
}

function describe({ cores, node, busy }: Machine): string {
  const warning = busy > cores ? "; it is busy, so believe the ratios only" : "";
  return `${cores} cores, Node ${node}, load ${busy.toFixed(1)}${warning}`;
}
