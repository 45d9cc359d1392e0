import { isDeepStrictEqual } from "node:util";
import type { SessionFile } from "@loopwright/protocol";

const SHOWN_LENGTH = 60;

/** What differs, one text each: `limits.max_iterations: 3 -> 5`, `workflows.inner.prompt`, `workflows.extra (added)`. */
export function changedSettings(before: SessionFile, now: SessionFile): string[] {
  const pinned = isDeepStrictEqual(before.pins, now.pins) ? [] : ["pins"];
  const preamble = before.preamble === now.preamble ? [] : ["preamble"];
  return [
    ...changes("", before.configuration, now.configuration),
    ...changes("workflows", byId(before.workflows), byId(now.workflows)),
    ...preamble,
    ...pinned,
  ];
}

function changes(path: string, before: unknown, now: unknown): string[] {
  if (isDeepStrictEqual(before, now)) return [];
  if (before === undefined) return [`${path} (added)`];
  if (now === undefined) return [`${path} (removed)`];
  if (isKeyed(before) && isKeyed(now)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(now)])].sort();
    return keys.flatMap((key) =>
      changes(path === "" ? key : `${path}.${key}`, before[key], now[key]),
    );
  }
  return [`${path}${values(path, before, now)}`];
}

/** Environments hold secrets; the journal isn't the place for them. */
function values(path: string, before: unknown, now: unknown): string {
  if (path.split(".").includes("env")) return "";
  const text = `: ${JSON.stringify(before)} -> ${JSON.stringify(now)}`;
  return text.length > SHOWN_LENGTH || text.includes("\\n") ? "" : text;
}

function byId(workflows: SessionFile["workflows"]): Record<string, unknown> {
  return Object.fromEntries(workflows.map(({ id, ...fields }) => [id, fields]));
}

function isKeyed(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
