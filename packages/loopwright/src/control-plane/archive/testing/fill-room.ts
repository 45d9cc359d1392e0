import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { goalLayout } from "../../../store/layout.ts";

export function placesOf(directory: string): { registryPath: string; runtimeRoot: string } {
  return {
    registryPath: join(directory, ".loopwright", "registry.json"),
    runtimeRoot: join(directory, "runtime"),
  };
}

/** A goal with a record that has a field of somebody else, and a few files. */
export function fillRoom(directory: string, id: string): void {
  const { registryPath, runtimeRoot } = placesOf(directory);
  const goal = goalLayout(join(runtimeRoot, "goals", id));
  mkdirSync(join(goal.sessions, "deep", "er"), { recursive: true });
  const at = "2026-01-01T00:00:00.000Z";
  const record = {
    schema_version: 1,
    goal_id: id,
    registry: registryPath,
    repo: directory,
    created_at: at,
    activation: { state: "active", reason: "", updated_at: at },
    mine: "kept",
  };
  writeFileSync(goal.goalJson, JSON.stringify(record));
  writeFileSync(goal.activeState, "## Next Action\n\n- Go on\n");
  writeFileSync(join(goal.sessions, "notes.txt"), "notes\n".repeat(1000));
  writeFileSync(join(goal.sessions, "deep", "er", "empty"), "");
}
