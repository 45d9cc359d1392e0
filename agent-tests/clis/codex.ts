import { responses } from "../servers/responses.ts";
import { use } from "../servers/turn.ts";
import type { Cli } from "./cli.ts";
import { versionOf } from "./names.ts";

export const codex: Cli = {
  name: "codex",
  version: versionOf("codex"),
  dialect: responses,
  settings: (server) => ({
    model: "stub-model",
    env: { STUB_KEY: "dummy" },
    args: [
      "-c",
      "features.plugins=false",
      "-c",
      `model_providers.stub={name="stub",base_url="${server}/v1",env_key="STUB_KEY",wire_api="responses",request_max_retries=1,stream_max_retries=1}`,
      "-c",
      'model_provider="stub"',
    ],
  }),
  tools: {
    // Its patches go through its shell tool, where it recognises them.
    write(path, text) {
      const lines = text.trimEnd().split("\n");
      const patch = [
        "*** Begin Patch",
        `*** Add File: ${path}`,
        ...lines.map((line) => `+${line}`),
        "*** End Patch",
      ];
      return use("exec_command", { cmd: `apply_patch <<'EOF'\n${patch.join("\n")}\nEOF\n` });
    },
    shell: (command) => use("exec_command", { cmd: command }),
  },
  limited: (until) => ({
    kind: "refusal",
    status: 429,
    body: {
      error: {
        type: "usage_limit_reached",
        message: "The usage limit has been reached",
        plan_type: "pro",
        resets_at: Math.floor(until.getTime() / 1000),
      },
    },
  }),
  hides: new Set(["refusals"]),
  plant: (witness) => ({
    ".codex/config.toml": `[mcp_servers.planted]\ncommand = "touch"\nargs = [${JSON.stringify(witness)}]\n`,
  }),
};
