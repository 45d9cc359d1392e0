import { dirname, join, normalize } from "node:path/posix";
import { checkImports } from "./floors.ts";
import type { RunResult } from "./run.ts";
import { read, sourceFiles } from "./source-files.ts";

const LINES_WARNED = 250;
const LINES_REFUSED = 400;

export function checkFloors(): RunResult {
  const problems = sourceFiles("packages/*/src/**/*.ts").flatMap((path) =>
    checkImports(path, read(path) ?? ""),
  );
  return result(problems.map(({ where, message }) => `${where} ${message}`));
}

export function checkSizes(): RunResult {
  const sizes = sourceFiles("*.ts", "*.tsx", "*.mjs", "dev").map((path) => ({
    path,
    lines: (read(path) ?? "").split("\n").length - 1,
  }));
  const refused = sizes.filter(({ lines }) => lines > LINES_REFUSED);
  const warned = sizes.filter(({ lines }) => lines > LINES_WARNED && lines <= LINES_REFUSED);
  const { ok, output } = result(
    refused.map(({ path, lines }) => `${path} has ${lines} lines; ${LINES_REFUSED} is the most`),
  );
  const warnings = warned.map(({ path, lines }) => `warning: ${path} has ${lines} lines\n`);
  return { ok, output: warnings.join("") + output };
}

/** Relative links in Markdown lead to a file that is there. */
export function checkLinks(): RunResult {
  const problems: string[] = [];
  for (const path of sourceFiles("*.md")) {
    const text = (read(path) ?? "").replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, "");
    for (const [, link] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (link === undefined || /^(?:[a-z]+:|#)/.test(link)) continue;
      const target = normalize(join(dirname(path), link.replace(/#.*$/, "")));
      if (!existing(target)) problems.push(`${path} links to ${link}, which isn't there`);
    }
  }
  return result(problems);
}

function existing(path: string): boolean {
  return sourceFiles(path).length > 0;
}

function result(problems: readonly string[]): RunResult {
  return { ok: problems.length === 0, output: problems.map((line) => `${line}\n`).join("") };
}
