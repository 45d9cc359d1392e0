/**
 * Flags of every git call. The tree and its `.git/config` were written by an agent: nothing that they name may run.
 * Diffs add `--no-ext-diff --no-textconv`; filters are out of reach because trees are read through a private
 * repository (`private-repository.ts`) that never reads the checkout's configuration.
 */
export const SAFE_FLAGS: readonly string[] = [
  "--no-pager",
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "core.pager=cat",
  "-c",
  "gc.auto=0",
  "-c",
  "protocol.allow=never",
];

/** Our environment without any inherited `GIT_*`, never asking, never locking for convenience, never fetching. */
export function gitEnvironment(extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (!name.startsWith("GIT_") && !name.startsWith("LOOPWRIGHT_")) environment[name] = value;
  }
  return {
    ...environment,
    LC_ALL: "C",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_EDITOR: "true",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_NO_LAZY_FETCH: "1",
    ...extra,
  };
}
