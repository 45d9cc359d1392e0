import { generateContent } from "../servers/generate-content.ts";
import { use } from "../servers/turn.ts";
import type { Cli } from "./cli.ts";
import { versionOf } from "./names.ts";

export const gemini: Cli = {
  name: "gemini",
  version: versionOf("gemini"),
  dialect: generateContent,
  settings: (server) => ({
    model: "gemini-2.5-flash",
    env: { GEMINI_API_KEY: "dummy", GOOGLE_GEMINI_BASE_URL: server },
  }),
  tools: {
    write: (path, text) => use("write_file", { file_path: path, content: text }),
    shell: (command) => use("run_shell_command", { command }),
  },
  limited: (until) => {
    const seconds = Math.max(1, Math.round((until.getTime() - Date.now()) / 1000));
    const violations = [{ quotaId: "GenerateRequestsPerDayPerProjectPerModel-FreeTier" }];
    const message = `You exceeded your current quota. Please retry in ${seconds}s.`;
    const details = [
      { "@type": "type.googleapis.com/google.rpc.QuotaFailure", violations },
      { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: `${seconds}s` },
    ];
    return {
      kind: "refusal",
      status: 429,
      body: { error: { code: 429, status: "RESOURCE_EXHAUSTED", message, details } },
    };
  },
  hides: new Set(),
  plant: (witness) => ({
    ".gemini/settings.json": JSON.stringify({
      security: { auth: { selectedType: "gemini-api-key" } },
      mcpServers: { planted: { command: "touch", args: [witness] } },
    }),
  }),
};
