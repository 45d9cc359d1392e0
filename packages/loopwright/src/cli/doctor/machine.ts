import { plural } from "@loopwright/protocol";
import { git } from "../../git/index.ts";
import type { Context } from "../context.ts";
import { machineProblems } from "../preflight/machine-problems.ts";
import type { RegistryTarget } from "../target.ts";
import { diagnoseAgents } from "./agents.ts";
import type { Diagnosis } from "./finding.ts";

/** Node, git, room, the runtime root, and the agent CLIs. */
export async function diagnoseMachine(
  context: Context,
  { runtimeRoot, registry, registryPath }: RegistryTarget,
): Promise<Diagnosis[]> {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const fits = major > 22 || (major === 22 && minor >= 18);
  const room = machineProblems({ root: context.cwd, runtimeRoot });
  return [
    {
      state: fits ? "ok" : "warning",
      what: "node",
      finding: process.versions.node,
      ...(fits ? {} : { hint: "22.18 or later is tested." }),
    },
    await diagnoseGit(context.cwd),
    {
      state: "ok",
      what: "registry",
      finding: `${registryPath}, ${plural(registry.goals.length, "goal")}`,
    },
    ...room.map(({ severity, where, message, hint }): Diagnosis => ({
      state: severity === "error" ? "problem" : "warning",
      what: "room",
      finding: `${where}: ${message}`,
      hint,
    })),
    ...(room.length === 0
      ? [
          {
            state: "ok",
            what: "room",
            finding: `${runtimeRoot} can be written; disk and memory suffice`,
          } as const,
        ]
      : []),
    ...(await diagnoseAgents(context.environment)),
  ];
}

async function diagnoseGit(cwd: string): Promise<Diagnosis> {
  try {
    const { stdout } = await git(["--version"], { cwd });
    return {
      state: "ok",
      what: "git",
      finding: stdout
        .toString("utf8")
        .trim()
        .replace(/^git version /, ""),
    };
  } catch {
    return {
      state: "problem",
      what: "git",
      finding: "git is not installed",
      hint: "Install it with the system's package manager.",
    };
  }
}
