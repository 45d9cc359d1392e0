import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** A home as the README supposes it: `~/loopwright` is the clone, `~/my-project` a repository with one commit. */
export interface Newcomer {
  readonly project: string;
  /** Starts a line or a block in bash; it ends by itself or with `close`. */
  start(script: string): { readonly ended: Promise<Ended> };
  run(script: string): Promise<Ended>;
  /** Writes a file below the project. */
  write(path: string, text: string): void;
  read(path: string): string;
  close(): void;
}

export function createNewcomer(): Newcomer {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-newcomer-")));
  const project = join(home, "my-project");
  const programs = join(home, "programs");
  const children = new Set<ChildProcess>();
  for (const folder of [project, programs]) mkdirSync(folder);
  symlinkSync(CHECKOUT, join(home, "loopwright"));
  copyFileSync(
    fileURLToPath(new URL("../fixtures/patient-agent.mjs", import.meta.url)),
    join(programs, "claude"),
  );
  const environment = {
    HOME: home,
    PATH: `${programs}:${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
    NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? "",
  };
  const newcomer: Newcomer = {
    project,
    start(script) {
      const child = spawn("bash", ["-euo", "pipefail", "-c", script], {
        cwd: project,
        env: environment,
        stdio: ["ignore", "pipe", "pipe"],
      });
      children.add(child);
      let output = "";
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding("utf8").on("data", (text: string) => (output += text));
      const ended = new Promise<Ended>((resolve) => {
        child.on("close", (code) => {
          children.delete(child);
          resolve({ code, output });
        });
      });
      return { ended };
    },
    run: (script) => newcomer.start(script).ended,
    write(path, text) {
      mkdirSync(dirname(join(project, path)), { recursive: true });
      writeFileSync(join(project, path), text);
    },
    read: (path) => readFileSync(join(project, path), "utf8"),
    close() {
      for (const child of children) child.kill("SIGKILL");
      rmSync(home, { recursive: true, force: true });
    },
  };
  newcomer.write(
    "package.json",
    `{ "private": true, "scripts": { "test": "test -f mailer.txt" } }\n`,
  );
  const git = (...words: string[]): Buffer =>
    execFileSync("git", words, { cwd: project, env: environment });
  git("init", "--quiet", "--initial-branch=main");
  git("add", "--all");
  git(
    "-c",
    "user.name=Test",
    "-c",
    "user.email=test@localhost",
    "commit",
    "--quiet",
    "-m",
    "Start",
  );
  return newcomer;
}

/** A fenced block of a Markdown text. */
export interface Block {
  readonly language: string;
  readonly text: string;
}

export function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(
    ([, language = "", text = ""]) => ({ language, text }),
  );
}
