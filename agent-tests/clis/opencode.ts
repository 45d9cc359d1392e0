import { chatCompletions } from "../servers/chat-completions.ts";
import { use } from "../servers/turn.ts";
import type { Cli } from "./cli.ts";
import { versionOf } from "./names.ts";

export const opencode: Cli = {
  name: "opencode",
  version: versionOf("opencode"),
  dialect: chatCompletions,
  settings: (server) => ({
    model: "stub/m",
    env: {
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_CONFIG_CONTENT: JSON.stringify(configuration(server)),
    },
  }),
  tools: {
    write: (path, text) => use("write", { filePath: path, content: text }),
    shell: (command) => use("bash", { command, description: "Does the next step" }),
  },
  limited: (until) => ({
    kind: "refusal",
    status: 429,
    headers: {
      "retry-after": String(Math.max(1, Math.round((until.getTime() - Date.now()) / 1000))),
    },
  }),
  hides: new Set(),
  plant: (witness) => ({
    ".config/opencode/opencode.json": JSON.stringify({
      mcp: { planted: { type: "local", command: ["touch", witness], enabled: true } },
    }),
  }),
};

function configuration(server: string): object {
  return {
    autoupdate: false,
    share: "disabled",
    small_model: "stub/m",
    provider: {
      stub: {
        npm: "@ai-sdk/openai-compatible",
        options: { baseURL: `${server}/v1`, apiKey: "dummy" },
        models: { m: { limit: { context: 100_000, output: 8_000 } } },
      },
    },
  };
}
