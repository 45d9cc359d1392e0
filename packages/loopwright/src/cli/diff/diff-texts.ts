import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { plural } from "@loopwright/protocol";
import { git } from "../../git/index.ts";
import type { Output } from "../output/output.ts";
import { printable } from "../../read-api/words/printable.ts";

/** Path, relative with `/`, to content. */
export type Texts = ReadonlyMap<string, string | Uint8Array>;

/** Paths that differ, sorted. */
export function differingPaths(before: Texts, now: Texts): string[] {
  const paths = new Set([...before.keys(), ...now.keys()]);
  return [...paths].filter((path) => !isSame(before.get(path), now.get(path))).sort();
}

/** What differs, as git shows it: `before/…` against `now/…`. Empty when nothing does. */
export async function diffTexts(before: Texts, now: Texts): Promise<string> {
  const paths = differingPaths(before, now);
  if (paths.length === 0) return "";
  const room = mkdtempSync(join(tmpdir(), "loopwright-diff-"));
  try {
    const sides = { before, now };
    for (const side of ["before", "now"] as const) {
      mkdirSync(join(room, side));
      for (const path of paths) {
        const content = sides[side].get(path);
        if (content === undefined) continue;
        mkdirSync(dirname(join(room, side, path)), { recursive: true });
        writeFileSync(join(room, side, path), content);
      }
    }
    const flags = ["--no-index", "--no-prefix", "--no-color", "--no-ext-diff", "--no-textconv"];
    const { stdout } = await git(["diff", ...flags, "before", "now"], { cwd: room });
    return stdout.toString("utf8");
  } finally {
    rmSync(room, { recursive: true, force: true });
  }
}

const SHOWN_LINES = 1000;

/** @param rest where the whole of it stands, for one that is too long to be shown */
export function renderDiff(output: Output, diff: string, rest?: string): void {
  const lines = printable(diff).trimEnd().split("\n");
  for (const line of lines.slice(0, SHOWN_LINES)) output.verbatim(coloured(output, line));
  if (lines.length > SHOWN_LINES) {
    const where = rest === undefined ? "" : `; all of it is in ${rest}`;
    output.line(`… and ${plural(lines.length - SHOWN_LINES, "more line")}${where}`);
  }
}

function coloured(output: Output, line: string): string {
  if (/^(?:diff |index |--- |\+\+\+ )/.test(line)) return output.style("bold", line);
  if (line.startsWith("+")) return output.style("green", line);
  return line.startsWith("-") ? output.style("red", line) : line;
}

function isSame(a: string | Uint8Array | undefined, b: string | Uint8Array | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return Buffer.from(a).equals(Buffer.from(b));
}
