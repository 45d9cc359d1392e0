import type { Problem } from "@loopwright/protocol";
import type { LoadedProject, Project } from "../../control-plane/project/project.ts";

/**
 * What the configuration may say but this version doesn't do. A limit or a safeguard that wouldn't hold is an error:
 * nobody should rely on it over night.
 */
export function availabilityProblems(project: Project, loaded: LoadedProject): Problem[] {
  const { recovery, isolation, gate, limits, notify } = project.configuration;
  const problems: Problem[] = [];
  const missing = (
    severity: Problem["severity"],
    path: readonly string[],
    what: string,
    hint: string,
  ): void => {
    const message = `${what} is not available in this version`;
    problems.push({ severity, where: loaded.placeInConfiguration(path), message, hint });
  };
  if (recovery.policy !== "adopt") {
    missing(
      "error",
      ["recovery", "policy"],
      `the recovery policy "${recovery.policy}"`,
      "Use adopt, the default.",
    );
  }
  if (isolation !== "none")
    missing("error", ["isolation"], `isolation: ${isolation}`, "Use none, the default.");
  if (gate.approve.length > 0)
    missing("error", ["gate", "approve"], "approval by a person", "Leave it out.");
  for (const scope of ["per_day", "iteration"] as const) {
    for (const [name, value] of Object.entries(limits[scope])) {
      if (value === null) continue;
      missing(
        "error",
        ["limits", scope, name],
        `the limit ${scope}.${name}`,
        "Limit the session instead.",
      );
    }
  }
  if (notify.desktop) {
    const hint = "Use notify.command or notify.webhook.";
    missing("warning", ["notify", "desktop"], "notification of the desktop", hint);
  }
  for (const { id, session } of project.workflows) {
    if (session !== "resume") continue;
    const where = loaded.placeInWorkflow(id, ["session"]);
    const message = "resuming an agent's own session is not available in this version";
    problems.push({ severity: "error", where, message, hint: "Use fresh, the default." });
  }
  return problems;
}
