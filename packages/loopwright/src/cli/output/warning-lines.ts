import type { DriftWarning } from "@loopwright/protocol";
import { oneLine } from "../../read-api/words/printable.ts";
import type { Output } from "./output.ts";

/** Drift as people read it: what disagrees, what each side says, and what to do about it. */
export function warningLines(output: Output, warnings: readonly DriftWarning[]): string[] {
  return warnings.flatMap((warning) => {
    const { severity, kind, reason, recommended_action: way } = warning;
    const style = severity === "action" ? "red" : severity === "watch" ? "yellow" : "dim";
    return [
      `${output.style(style, severity.padEnd(6))} ${kind}: ${oneLine(reason, 600)}`,
      ...sides(warning).map(([source, says]) => `         ${source}: ${oneLine(says, 300)}`),
      `         ${oneLine(way, 400)}`,
    ];
  });
}

function sides(warning: DriftWarning): [source: string, says: string][] {
  if (warning.kind !== "next_action_projection_mismatch")
    return warning.evidence.slice(0, 5).map(({ source, says }) => [source, says]);
  return [
    ["next action", warning.active_state_next_action],
    ["recommended", warning.latest_run_recommended_action],
  ];
}
