import { fileURLToPath } from "node:url";

const FAKE_AGENT = fileURLToPath(new URL("../../fixtures/fake-agent.mjs", import.meta.url));

export interface ProjectOptions {
  /** Fields of `loopwright.yaml`, over those that a scratch project has. */
  readonly configuration?: Readonly<Record<string, unknown>>;
  readonly limits?: Readonly<Record<string, unknown>>;
  readonly gate?: Readonly<Record<string, unknown>>;
  /** Fields of the one agent. */
  readonly agent?: Readonly<Record<string, unknown>>;
  /** Workflow id to the fields of its `workflow.yaml`. Default: one that may do everything. */
  readonly workflows?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Check id to its fields. Default: `goal.txt` has to say "done". */
  readonly checks?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Path below the repository to text; replaces what a scratch project has there. */
  readonly files?: Readonly<Record<string, string>>;
}

/** A small project that runs with the fake agent: path below the repository to text. JSON is YAML, too. */
export function projectFiles(
  options: ProjectOptions & { readonly plan: string; readonly witness: string },
): Record<string, string> {
  const {
    configuration,
    limits,
    gate,
    agent,
    workflows = { work: { plans: true, may_complete: true } },
    checks = DEFAULT_CHECKS,
  } = options;
  const files: Record<string, string> = {
    "README.md": "# A scratch project\n",
    ".loopwright/goal.md": "# Write goal.txt\n\nIt says: done.\n",
    "loopwright.yaml": yaml({
      goal_file: ".loopwright/goal.md",
      workflow_set: "set",
      agents: {
        fake: {
          adapter: "command",
          command: [process.execPath, FAKE_AGENT],
          env: { FAKE_AGENT_PLAN: options.plan, FAKE_AGENT_WITNESS: options.witness },
          ...agent,
        },
      },
      default_agent: "fake",
      limits: { max_iterations: 3, iteration_timeout: "120s", silence_timeout: "120s", ...limits },
      gate: { ...gate },
      ...configuration,
    }),
  };
  for (const [id, fields] of Object.entries(workflows)) {
    files[`.loopwright/workflows/set/${id}/workflow.yaml`] = yaml(fields);
    files[`.loopwright/workflows/set/${id}/prompt.md`] = `Do the next step as "{{workflow}}".\n`;
  }
  for (const [id, fields] of Object.entries(checks))
    files[`.loopwright/checks/${id}.yaml`] = yaml({ id, ...fields });
  return { ...files, ...options.files };
}

const DEFAULT_CHECKS = { goal: { type: "command", run: ["grep", "-qx", "done", "goal.txt"] } };

function yaml(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
