import type { Problem } from "@loopwright/protocol";
import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from "yaml";
import type { ZodType } from "zod";
import { readText } from "../../store/read.ts";
import { laterProblems } from "./later-choices.ts";
import { problemsOfIssue } from "./yaml-issue.ts";
import { binaryProblem, isReadable, syntaxProblems } from "./yaml-syntax.ts";

/** A YAML file that a person wrote: its value when it is valid, everything that is wrong with it, and where things stand. */
export interface YamlFile<T> {
  readonly value: T | undefined;
  /** As it stands in the file, also when it is not valid; undefined when it isn't YAML at all. */
  readonly raw: unknown;
  /** In the order of the file. */
  readonly problems: Problem[];
  /** `file:line:column` of the value at a path, or of its nearest parent that exists. */
  place(path: readonly PropertyKey[]): string;
}

/** What a place is asked for: the key itself (unknown keys) or its value. */
export type Target = "key" | "value";

/** Nobody writes more; a larger file is a mistake. */
const MAX_BYTES = 1024 * 1024;

/**
 * Reads a YAML file against a schema. All problems are found at once, each with `file:line:column`.
 * @param path absolute
 * @param name how the file is called in problems; usually relative to the project
 * @returns undefined when there is no file. Throws FILE_UNSAFE when it isn't a regular file.
 */
export function readYamlFile<T>(
  path: string,
  name: string,
  schema: ZodType<T>,
): YamlFile<T> | undefined {
  const text = readText(path, { maxBytes: MAX_BYTES });
  return text === undefined ? undefined : parseYamlFile(text, name, schema);
}

/** The same for text that was read already. */
export function parseYamlFile<T>(text: string, name: string, schema: ZodType<T>): YamlFile<T> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${Math.max(line, 1)}:${Math.max(col, 1)}`;
  };
  const place = (path: readonly PropertyKey[], target: Target = "value"): string =>
    at(offsetOf(document.contents, path, target));

  const none = { value: undefined, raw: undefined, place };
  const binary = binaryProblem(text, name);
  if (binary !== undefined) return { ...none, problems: [binary] };
  const syntax = syntaxProblems([...document.errors, ...document.warnings], { document, text, at });
  if (!isReadable(document.errors)) return { ...none, problems: syntax };

  const read = toValue(() => document.toJS({ maxAliasCount: 100 }));
  if (read.problem !== undefined) {
    const where = at(danglingAlias(document) ?? 0);
    const problem: Problem = { severity: "error", where, message: read.problem, hint: ALIAS_HINT };
    return { ...none, problems: [...syntax, problem] };
  }
  const raw = read.value ?? {};
  const parsed = schema.safeParse(raw);
  const later = laterProblems(schema, raw, place);
  const issues = parsed.error?.issues ?? [];
  const wrong = issues.flatMap((issue) => problemsOfIssue(issue, { schema, value: raw, place }));
  const problems = inFileOrder([...syntax, ...wrong, ...later]);
  const value = document.errors.length === 0 && later.length === 0 ? parsed.data : undefined;
  return { value, raw, problems, place };
}

const ALIAS_HINT = 'Write the value itself, or put text that begins with "*" in quotes.';

/** Problems of one file, by line and column. */
function inFileOrder(problems: Problem[]): Problem[] {
  const key = ({ where }: Problem): number => {
    const [line, column] = where.split(":").slice(-2).map(Number);
    return (line ?? 0) * 1e6 + (column ?? 0);
  };
  return problems.sort((a, b) => key(a) - key(b));
}

function toValue(convert: () => unknown): { value?: unknown; problem?: string } {
  try {
    return { value: convert() };
  } catch (error) {
    return { problem: sentence(error instanceof Error ? error.message : String(error)) };
  }
}

/** Where the first `*name` stands whose `&name` doesn't stand before it. */
function danglingAlias(document: Document): number | undefined {
  let found: number | undefined;
  visit(document, {
    Alias(_, node) {
      if (node.resolve(document) !== undefined) return undefined;
      found = startOf(node);
      return visit.BREAK;
    },
  });
  return found;
}

function offsetOf(contents: unknown, path: readonly PropertyKey[], target: Target): number {
  let here = contents;
  let offset = startOf(here) ?? 0;
  for (const [depth, key] of path.entries()) {
    if (isMap(here)) {
      const pair = here.items.find(
        (item) => isScalar(item.key) && String(item.key.value) === String(key),
      );
      if (pair === undefined) return offset;
      const keyOffset = startOf(pair.key) ?? offset;
      if (target === "key" && depth === path.length - 1) return keyOffset;
      here = pair.value;
      // The value of `key:` with nothing behind it has no place of its own.
      offset = startOf(here) ?? keyOffset;
      if (isScalar(here) && here.value === null && here.source === "") offset = keyOffset;
    } else if (isCollection(here) && !isAlias(here)) {
      const item = here.items[Number(key)];
      if (item === undefined) return offset;
      here = item;
      offset = startOf(here) ?? offset;
    } else {
      return offset;
    }
  }
  return offset;
}

function startOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0];
}

function sentence(message: string): string {
  const first = message.split("\n")[0] ?? message;
  return first.charAt(0).toLowerCase() + first.slice(1);
}
