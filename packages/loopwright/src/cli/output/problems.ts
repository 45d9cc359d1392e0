import { plural, type Problem } from "@loopwright/protocol";

/** `error loopwright.yaml:12:3 unknown key "max_iteration" (did you mean "max_iterations"?)`, the hint below it. */
export function renderProblem({ severity, where, message, hint }: Problem): string {
  const first = `${severity} ${where} ${message}`;
  return hint === undefined ? first : `${first}\n        ${hint}`;
}

/** `2 errors and 1 warning`. */
export function countProblems(problems: readonly Problem[]): string {
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const warnings = problems.length - errors;
  const parts = [
    ...(errors > 0 ? [plural(errors, "error")] : []),
    ...(warnings > 0 ? [plural(warnings, "warning")] : []),
  ];
  return parts.length === 0 ? "no problems" : parts.join(" and ");
}
