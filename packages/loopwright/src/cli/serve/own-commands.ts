import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  ERROR_TABLE,
  type ErrorCode,
  LoopwrightError,
  type RegistryGoal,
} from "@loopwright/protocol";
import { z } from "zod";
import { holderOf } from "../../control-plane/projection/index.ts";
import type { Started } from "../../server/server.ts";
import type { Context } from "../context.ts";
import { saidError } from "../run/said-error.ts";
import { goalTarget, type RegistryTarget } from "../target.ts";

/** How long a loop may take to have a coordinator, or to say why not. Monotonic ms. */
const START_PATIENCE_MS = 30_000;
const LOOK_EVERY_MS = 50;
const OUTPUT_LIMIT = 1024 * 1024;

/**
 * Starts `run` for a goal, in a process group of its own that outlives the server, and waits until its coordinator
 * lives or it has said why not. What it prints goes to `run.log` of the goal.
 */
export async function startRun(
  context: Context,
  registry: RegistryTarget,
  goal: RegistryGoal,
): Promise<Started> {
  const { clock, processes } = context.seams;
  const { layout, repository } = goalTarget(registry, goal);
  const log = join(layout.directory, "run.log");
  const out = openSync(log, "w", 0o600);
  const child = spawn(process.execPath, wordsFor(registry, ["run", "--goal", goal.id]), {
    cwd: existsSync(repository) ? repository : "/",
    detached: true,
    stdio: ["ignore", out, out],
  });
  closeSync(out);
  child.unref();
  let ended: number | null | undefined;
  child.on("error", () => (ended = -1));
  child.on("exit", (code) => (ended = code));
  const deadline = clock.monotonic() + START_PATIENCE_MS;
  while (ended === undefined && clock.monotonic() < deadline) {
    if (holderOf(layout.lock, processes).liveness === "alive")
      return { started: true, problem: null };
    await clock.sleep(LOOK_EVERY_MS);
  }
  if (ended === 0 || ended === 10 || ended === 11) return { started: true, problem: null };
  const { message } = saidError(readFileSync(log, "utf8").slice(-OUTPUT_LIMIT));
  return { started: false, problem: message ?? `it doesn't start; its output is in ${log}` };
}

/** Runs the checks of a goal as `check` does, and answers what it says. Throws what it refuses. */
export async function runCheck(registry: RegistryTarget, goal: RegistryGoal): Promise<object> {
  const { repository } = goalTarget(registry, goal);
  const words = wordsFor(registry, ["check", "--json", "--goal", goal.id]);
  const child = spawn(process.execPath, words, {
    cwd: existsSync(repository) ? repository : "/",
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => {
      said[name] = (said[name] + text).slice(-OUTPUT_LIMIT);
    });
  const code = await new Promise<number | null>((resolve) => {
    child.on("error", () => resolve(-1));
    child.on("close", resolve);
  });
  const document = parsed(said.stdout);
  if ((code === 0 || code === 1) && document !== undefined && !("error" in document))
    return document;
  const refused = refusal.safeParse(document);
  const { message } = saidError(said.stderr);
  if (!refused.success)
    throw new LoopwrightError("UNEXPECTED", message ?? `check has ended with ${String(code)}`);
  const { code: why, message: what, hint } = refused.data.error;
  throw new LoopwrightError(
    why in ERROR_TABLE ? (why as ErrorCode) : "UNEXPECTED",
    what,
    hint === undefined ? {} : { hint },
  );
}

/** What a command says with `--json` where it refuses. */
const refusal = z.object({
  error: z.object({ code: z.string(), message: z.string(), hint: z.string().optional() }),
});

/** The program as it runs itself, on the same registry. */
function wordsFor(
  { registryPath, runtimeRoot }: RegistryTarget,
  words: readonly string[],
): string[] {
  const flags = process.execArgv.filter((flag) => !flag.startsWith("--inspect"));
  const at = ["--registry", registryPath, "--runtime-root", runtimeRoot];
  return [...flags, process.argv[1] ?? "", ...words, ...at];
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
