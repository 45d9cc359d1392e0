import { messages } from "../servers/messages.ts";
import { use } from "../servers/turn.ts";
import type { Cli } from "./cli.ts";
import { versionOf } from "./names.ts";

export const claude: Cli = {
  name: "claude",
  version: versionOf("claude"),
  dialect: messages,
  settings: (server) => ({
    model: "claude-sonnet-4-5",
    env: {
      ANTHROPIC_BASE_URL: server,
      ANTHROPIC_API_KEY: "dummy",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      CLAUDE_CODE_MAX_RETRIES: "1",
    },
  }),
  tools: {
    write: (path, text) => use("Write", { file_path: path, content: text }),
    shell: (command) => use("Bash", { command, description: "Does the next step" }),
  },
  limited: (until) => ({
    kind: "refusal",
    status: 429,
    headers: {
      "retry-after": secondsUntil(until),
      "anthropic-ratelimit-unified-status": "rejected",
      "anthropic-ratelimit-unified-reset": String(Math.floor(until.getTime() / 1000)),
      "anthropic-ratelimit-unified-representative-claim": "five_hour",
    },
  }),
  hides: new Set(),
  plant(witness) {
    const hooks = [{ hooks: [{ type: "command", command: `touch ${witness}` }] }];
    const events = { SessionStart: hooks, UserPromptSubmit: hooks, PreToolUse: hooks, Stop: hooks };
    return { ".claude/settings.json": JSON.stringify({ hooks: events }) };
  },
};

function secondsUntil(until: Date): string {
  return String(Math.max(1, Math.round((until.getTime() - Date.now()) / 1000)));
}
