/** What the scratch projects of the crash tests consist of: path below the repository -> text. */
export interface ProjectOptions {
  /** `single`: one workflow. `team`: one that plans and claims, one that implements, one that reviews when asked. */
  readonly set: "single" | "team";
  readonly agent: readonly string[];
  readonly agentRoom: string;
  /** The agent neither fails nor leaves anything running. */
  readonly steady: boolean;
  /** Further lines of `limits`. */
  readonly limits?: Readonly<Record<string, string | number>>;
}

export function projectFiles({
  set,
  agent,
  agentRoom,
  steady,
  limits = {},
}: ProjectOptions): Record<string, string> {
  const workflows: Record<string, string> =
    set === "single" ? { work: "plans: true\nmay_complete: true\n" } : TEAM;
  const files: Record<string, string> = {
    "README.md": "# A scratch project\n",
    "protected/rules.txt": "as it was\n",
    ".loopwright/goal.md": "# Write goal.txt\n\nIt says: done.\n",
    ".loopwright/checks/goal.yaml":
      'id: goal\ntype: command\nrun: ["grep", "-qx", "done", "goal.txt"]\n',
    "loopwright.yaml": [
      "goal_file: .loopwright/goal.md",
      `workflow_set: ${set}`,
      "agents:",
      "  coder:",
      "    adapter: command",
      `    command: ${JSON.stringify(agent)}`,
      `    env: ${JSON.stringify({ AGENT_ROOM: agentRoom, ...(steady ? { AGENT_STEADY: "1" } : {}) })}`,
      "default_agent: coder",
      "limits:",
      ...Object.entries({
        max_iterations: 100_000,
        iteration_timeout: "120s",
        silence_timeout: "120s",
        ...limits,
      }).map(([name, value]) => `  ${name}: ${value}`),
      "worker_patience: 120s",
      'gate: { protect: ["protected/**"] }',
      "",
    ].join("\n"),
  };
  for (const [id, text] of Object.entries(workflows)) {
    files[`.loopwright/workflows/${set}/${id}/workflow.yaml`] = text;
    files[`.loopwright/workflows/${set}/${id}/prompt.md`] = `Do the next step as "{{workflow}}".\n`;
  }
  return files;
}

const TEAM = {
  plan: "priority: 10\nplans: true\nmay_complete: true\n",
  build: "priority: 20\nmust_follow: plan\n",
  review: "priority: 30\nrun_when_requested: true\nemits_goal_check: true\n",
};
