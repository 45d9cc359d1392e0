import { existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const INSTALLED = fileURLToPath(new URL("../../.cache/agents", import.meta.url));
const PLATFORM = `${process.platform}-${process.arch}`;

/** What a user would find on PATH. Two packages put a native program there in a script of theirs that didn't run. */
const PROGRAMS: Readonly<Record<string, string>> = {
  claude: `@anthropic-ai/claude-code-${PLATFORM}/claude`,
  codex: ".bin/codex",
  gemini: ".bin/gemini",
  opencode: `opencode-${PLATFORM}/bin/opencode`,
};

/** A directory for PATH with the installed CLIs. Throws when they aren't installed. */
export function programsDirectory(): string {
  const directory = join(INSTALLED, "bin");
  mkdirSync(directory, { recursive: true });
  for (const [name, path] of Object.entries(PROGRAMS)) {
    const program = join(INSTALLED, "node_modules", path);
    if (!existsSync(program)) {
      throw new Error(`${program} is missing: ./dev test:agents installs it.`);
    }
    const link = join(directory, name);
    rmSync(link, { force: true });
    symlinkSync(program, link);
  }
  return directory;
}
