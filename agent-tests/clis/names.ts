import manifest from "../packages/package.json" with { type: "json" };

const versions: Readonly<Record<string, string>> = manifest.dependencies;

/** The CLIs that are tested, by the names of their adapters and test files, and in which versions. */
export const CLIS = [
  { name: "claude", title: "Claude Code", package: "@anthropic-ai/claude-code" },
  { name: "codex", title: "Codex", package: "@openai/codex" },
  { name: "gemini", title: "Gemini CLI", package: "@google/gemini-cli" },
  { name: "opencode", title: "OpenCode", package: "opencode-ai" },
].map((cli) => ({ ...cli, version: versions[cli.package] ?? "unknown" }));

export function versionOf(name: string): string {
  return CLIS.find((cli) => cli.name === name)?.version ?? "unknown";
}
