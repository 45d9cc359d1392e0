import picomatch from "picomatch";

/** Which paths of a checkout (relative, with `/`) are protected. */
export interface Protection {
  matches(path: string): boolean;
  /** Whether anything below this directory could match; "" is the checkout itself. */
  mayHold(directory: string): boolean;
}

/**
 * Globs as in `gate.protect`: `*` stays within a name, `**` crosses directories, names with a leading dot match like
 * others, and a glob that matches a directory protects all of it. One that begins with `!` takes paths out again.
 */
export function createProtection(globs: readonly string[]): Protection {
  const wanted = globs.filter((glob) => !glob.startsWith("!")).map(normalized);
  const ignore = globs
    .filter((glob) => glob.startsWith("!"))
    .map((glob) => normalized(glob.slice(1)));
  const excluded = matcher(ignore);
  const patterns = wanted.map((glob) => ({ ...reach(glob), matches: matcher([glob]) }));
  return {
    matches: (path) => patterns.some(({ matches }) => matches(path)) && !excluded(path),
    mayHold: (directory) =>
      patterns.some(({ base, depth, matches }) => {
        const related = isWithin(base, directory) || isWithin(directory, base);
        return related && (segments(directory) < depth || matches(directory));
      }),
  };
}

/** What is wrong with a glob of `gate.protect`, or undefined. */
export function globProblem(glob: string): string | undefined {
  const path = normalized(glob.replace(/^!/, ""));
  if (path === "") return "it names nothing";
  if (/^([/\\]|[A-Za-z]:)/.test(glob.replace(/^!/, "")))
    return "it must be relative to the checkout";
  if (path.split("/").includes("..")) return "it must stay inside the checkout";
  return undefined;
}

function matcher(globs: readonly string[]): (path: string) => boolean {
  if (globs.length === 0) return () => false;
  return picomatch(
    globs.flatMap((glob) => [glob, `${glob}/**`]),
    { dot: true },
  );
}

/** The directory below which a glob matches, and how deep: infinitely with `**` or anything that may hold a slash. */
function reach(glob: string): { base: string; depth: number } {
  const { base } = picomatch.scan(glob);
  const deep = /\*\*|[{}()[\]]/.test(glob);
  return {
    base: base === "." ? "" : base,
    depth: deep ? Number.POSITIVE_INFINITY : segments(glob),
  };
}

function isWithin(path: string, directory: string): boolean {
  return directory === "" || path === directory || path.startsWith(`${directory}/`);
}

function segments(path: string): number {
  return path === "" ? 0 : path.split("/").length;
}

function normalized(glob: string): string {
  return glob.replace(/^(?:\.\/)+/, "").replace(/\/+$/, "");
}
