import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A real repository in a temporary directory of its own, removed by `close`. */
export interface ScratchRepository {
  /** The temporary directory, real path. */
  readonly room: string;
  /** The work tree. */
  readonly root: string;
  /** Outside the repository; for the private repository of the reader under test. */
  readonly indexPath: string;
  at(path: string): string;
  write(path: string, content: string): void;
  git(...arguments_: string[]): string;
  gitIn(directory: string, ...arguments_: string[]): string;
  commit(message?: string): string;
  /** A program that leaves a line in `witness` when it runs, and passes its input on. */
  witnessProgram(name: string): string;
  readonly witness: string;
  close(): void;
}

export function createScratchRepository(options: readonly string[] = []): ScratchRepository {
  const room = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-git-")));
  const root = join(room, "repository");
  const at = (path: string): string => join(root, path);
  const witness = join(room, "witness");
  const gitIn = (directory: string, ...arguments_: string[]): string =>
    execFileSync("git", [...IDENTITY, ...arguments_], {
      cwd: directory,
      env: { PATH: process.env["PATH"], HOME: room, LC_ALL: "C" },
      stdio: ["ignore", "pipe", "pipe"],
      encoding: "utf8",
    }).trim();
  const git = (...arguments_: string[]): string => gitIn(root, ...arguments_);
  mkdirSync(root);
  git("init", "--quiet", "--initial-branch=trunk", ...options);
  return {
    room,
    root,
    indexPath: join(room, "private"),
    witness,
    at,
    write: (path, content) => {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), content);
    },
    git,
    gitIn,
    commit: (message = "Change") => {
      git("add", "--all");
      git("commit", "--quiet", "--allow-empty", "--message", message);
      return git("rev-parse", "HEAD");
    },
    witnessProgram: (name) => {
      const path = join(room, name);
      writeFileSync(path, `#!/bin/sh\necho ${name} >> '${witness}'\nexec cat\n`);
      chmodSync(path, 0o755);
      return path;
    },
    close: () => rmSync(room, { recursive: true, force: true }),
  };
}

const IDENTITY = [
  "-c",
  "user.name=Test",
  "-c",
  "user.email=test@example.invalid",
  "-c",
  "protocol.file.allow=always",
];
