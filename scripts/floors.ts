import { dirname, join, normalize } from "node:path/posix";

/** Imports go down only, and floors don't import their own siblings. docs/internals/architecture.md has the picture. */
const FLOORS: readonly (readonly string[])[] = [
  ["protocol"],
  ["engine"],
  ["seams"],
  ["store", "process", "git"],
  ["control-plane", "agents"],
  ["lead", "evaluation", "read-api"],
  ["coordinator", "worker", "server", "mcp"],
  ["cli"],
];

const FLOOR_OF = new Map(FLOORS.flatMap((rooms, floor) => rooms.map((room) => [room, floor])));

/** Each package may be imported by its name alone. */
const PACKAGES = new Map([
  ["@loopwright/protocol", "protocol"],
  ["@loopwright/engine", "engine"],
]);

/** Without I/O of any kind, so that they run and are tested anywhere. */
const PURE = new Set(["protocol", "engine"]);

/** The coordinator decides and never runs an agent. */
const FORBIDDEN: readonly (readonly [from: string, to: string])[] = [["coordinator", "agents"]];

export interface ImportProblem {
  /** `file:line` */
  readonly where: string;
  readonly message: string;
}

/**
 * The problems of one source file.
 * @param path from the root of the checkout, with `/`
 */
export function checkImports(path: string, source: string): ImportProblem[] {
  const room = roomOf(path);
  if (room === undefined) return [];
  const problems: ImportProblem[] = [];
  for (const { specifier, line } of importsOf(source)) {
    const message = problemOf(path, room, specifier);
    if (message !== undefined) problems.push({ where: `${path}:${line}`, message });
  }
  return problems;
}

function problemOf(path: string, room: string, specifier: string): string | undefined {
  const test = isTest(path);
  if (PURE.has(room) && !test && specifier.startsWith("node:")) {
    return `${room} is pure and can't import ${specifier}`;
  }
  const named = PACKAGES.get(specifier);
  if (/^@loopwright\/[^/]+\/testing$/.test(specifier)) {
    return test ? undefined : `${specifier} is for tests only`;
  }
  if (specifier.startsWith("@loopwright/") && named === undefined) {
    return `${specifier} is the inside of a package; import the package by its name`;
  }
  if (!specifier.startsWith(".") && named === undefined) return undefined;

  const target = specifier.startsWith(".") ? normalize(join(dirname(path), specifier)) : undefined;
  if (target !== undefined && packageOf(target) !== packageOf(path)) {
    return `${specifier} leaves the package; import it by name`;
  }
  if (target !== undefined && isTest(target) && !test) {
    return `${specifier} is for tests only`;
  }
  const to = named ?? (target === undefined ? undefined : roomOf(target));
  // A test may put several rooms together to see them work.
  if (to === undefined || to === room || test) return undefined;

  const [own, other] = [FLOOR_OF.get(room), FLOOR_OF.get(to)];
  if (own === undefined) return `${room} has no floor yet; give it one in scripts/floors.ts`;
  if (other === undefined) return `${to} has no floor yet; give it one in scripts/floors.ts`;
  if (other > own) return `${room} can't import ${to}, which is above it`;
  if (other === own) return `${room} can't import its sibling ${to}`;
  if (FORBIDDEN.some(([from, forbidden]) => from === room && forbidden === to)) {
    return `${room} never imports ${to}`;
  }
  return undefined;
}

function* importsOf(source: string): Generator<{ specifier: string; line: number }> {
  const statement =
    /^[ \t]*(?:import|export)\b[^"';]*?\bfrom\s*["']([^"']+)["']|^[ \t]*import\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/gm;
  for (const match of source.matchAll(statement)) {
    const specifier = match[1] ?? match[2] ?? match[3];
    if (specifier === undefined) continue;
    yield { specifier, line: source.slice(0, match.index).split("\n").length };
  }
}

/** The folder that a floor belongs to: a pure package, or the first folder in the product's `src`. */
function roomOf(path: string): string | undefined {
  const match = /^packages\/([^/]+)\/src\/(?:([^/]+)\/)?/.exec(path);
  return match?.[1] === "loopwright" ? match[2] : match?.[1];
}

function packageOf(path: string): string {
  return path.split("/").slice(0, 2).join("/");
}

function isTest(path: string): boolean {
  return path.endsWith(".test.ts") || path.includes("/testing/");
}
