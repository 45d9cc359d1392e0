import { spawnSync } from "node:child_process";
import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));

export interface RunResult {
  readonly ok: boolean;
  /** Standard output and standard error, one after the other. */
  readonly output: string;
}

/** Runs a program to its end, in the checkout unless `cwd` says otherwise. Standard input is empty. */
export function run(file: string, args: readonly string[], options: RunOptions = {}): RunResult {
  const result = spawnSync(file, args, {
    cwd: options.cwd ?? ROOT,
    env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0", ...options.env },
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const problem = result.error === undefined ? "" : `${file}: ${result.error.message}\n`;
  return {
    ok: result.status === 0,
    output: `${result.stdout ?? ""}${result.stderr ?? ""}${problem}`,
  };
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The same, for a step that the next ones need: throws with the output. Returns the output. */
export function runOrThrow(file: string, args: readonly string[], options?: RunOptions): string {
  const { ok, output } = run(file, args, options);
  if (!ok) throw new Error(`"${[file, ...args].join(" ")}" failed:\n${output}`);
  return output;
}

/** `import.meta.main`, which Node 22 doesn't have. */
export function startedDirectly(moduleUrl: string): boolean {
  return (
    process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(moduleUrl)
  );
}
