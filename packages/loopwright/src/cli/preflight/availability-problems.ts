import type { Problem } from "@loopwright/protocol";
import type { LoadedProject, Project } from "../../control-plane/project/project.ts";

/**
 * What the configuration may say but this version doesn't do, beside words that it doesn't know (reading the file tells
 * those). A limit or a safeguard that wouldn't hold is an error: nobody should rely on it over night.
 */
export function availabilityProblems(project: Project, loaded: LoadedProject): Problem[] {
  const { agents, limits, notify } = project.configuration;
  const problems: Problem[] = [];
  const missing = (
    severity: Problem["severity"],
    path: readonly string[],
    what: string,
    hint: string,
  ): void => {
    const where = loaded.placeInConfiguration(path);
    problems.push({ severity, where, message: `${what} in this version`, hint });
  };
  for (const scope of ["per_day", "iteration"] as const) {
    for (const [name, value] of Object.entries(limits[scope])) {
      if (value === null) continue;
      const what = `the limit ${scope}.${name} is not available`;
      missing("error", ["limits", scope, name], what, "Limit the session instead.");
    }
  }
  for (const [name, { max_parallel }] of Object.entries(agents)) {
    const hint = "Take it out; one of it runs at a time.";
    if (max_parallel !== undefined)
      missing("warning", ["agents", name, "max_parallel"], "max_parallel has no effect", hint);
  }
  if (notify.desktop) {
    const hint = "Use notify.command or notify.webhook.";
    missing("warning", ["notify", "desktop"], "notification of the desktop is not available", hint);
  }
  return problems;
}
