import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadChecks } from "./check-file.ts";
import { sha256Of } from "./pin-store.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "loopwright-checks-"));
  mkdirSync(join(root, "checks"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (name: string, text: string): void => writeFileSync(join(root, "checks", name), text);
const problems = (): string[] =>
  loadChecks(root, "checks").problems.map(({ where, message }) => `${where} ${message}`);

describe("loadChecks", () => {
  it("reads one check a file, with its defaults and the hash of its bytes", () => {
    const text = "id: unit\ntype: command\nrun: [npm, test]\n";
    write("b.yaml", text);
    write("a.yaml", "id: guide\ntype: file\npath: docs/guide.md\nrequired: false\n");
    write("example.yaml.off", "not: [read");
    const { checks, problems: found } = loadChecks(root, "checks");
    expect(found).toEqual([]);
    expect(checks.map(({ id }) => id)).toEqual(["guide", "unit"]);
    expect(checks[1]).toMatchObject({
      run: ["npm", "test"],
      timeout: 600_000,
      expect: { exit: 0 },
      required: true,
      retries: 0,
      file: "checks/b.yaml",
      sha256: sha256Of(Buffer.from(text)),
    });
  });

  it("knows no checks where there is no directory", () => {
    expect(loadChecks(root, "missing")).toEqual({ checks: [], drafts: [], problems: [] });
    expect(loadChecks(root, undefined)).toEqual({ checks: [], drafts: [], problems: [] });
  });

  it("reports every mistake of every file at once, with its place and a suggestion", () => {
    write("1.yaml", "id: one\ntype: comand\nrun: x\n");
    write("2.yaml", "id: two\ntype: command\n");
    write("3.yaml", "id: three\ntype: file\npath: ../outside\nrun: x\nretires: 2\n");
    write("4.yaml", "id: four\ntype: command\nrun: x\ntimeout: soon\n");
    write("5.yaml", "id: five\ntype: command\nrun: x\nexpect: { stdout_matches: '(' }\n");
    write("6.yaml", "id: six\ntype: judge\njudge: { agent: a, question: b }\n");
    write("7.yaml", "id: seven\n  type: [\n");
    const found = problems();
    for (const part of [
      "checks/1.yaml:2:7 type: expected one of command, file, found",
      'checks/2.yaml:2:7 a check of type command needs "run"',
      'checks/3.yaml:5:1 unknown key "retires" (did you mean "retries"?)',
      "checks/4.yaml:4:10 timeout",
      "checks/5.yaml:4:27 stdout_matches is no regular expression",
      'checks/6.yaml:2:7 type: "judge" is not available in this version',
      "checks/7.yaml:",
    ]) {
      expect(
        found.some((problem) => problem.startsWith(part)),
        `${part}\n${found.join("\n")}`,
      ).toBe(true);
    }
  });

  it("looks at everything whose own inputs are intact, and demands nothing of a type of later versions", () => {
    write("a.yaml", "type: file\n");
    write("b.yaml", "typ: command\npath: ../x\n");
    write("c.yaml", "id: c\ntype: judge\n");
    expect(problems()).toEqual([
      'checks/a.yaml:1:1 "id" is missing',
      'checks/a.yaml:1:7 a check of type file needs "path"',
      'checks/b.yaml:1:1 "id" is missing',
      'checks/b.yaml:1:1 "type" is missing',
      'checks/b.yaml:1:1 unknown key "typ" (did you mean "type"?)',
      'checks/b.yaml:2:7 "path" must be a relative path inside the repository, found "../x"',
      'checks/c.yaml:2:7 type: "judge" is not available in this version',
    ]);
    const missing = loadChecks(root, "checks").problems.find(({ message }) =>
      /"type" is/.test(message),
    );
    expect(missing?.hint).toBe("Write one of: command, file.");
  });

  it("warns of a file whose name keeps it from being read", () => {
    write("t.yml", "id: t\ntype: command\nrun: x\n");
    expect(loadChecks(root, "checks")).toMatchObject({
      checks: [],
      problems: [{ severity: "warning", where: "checks/t.yml", hint: "Rename it to t.yaml." }],
    });
  });

  it("refuses paths that leave the repository, and fields of another type", () => {
    write("a.yaml", "id: a\ntype: file\npath: ../outside\nrun: x\n");
    write("b.yaml", "id: b\ntype: command\nrun: x\ncwd: /tmp\n");
    expect(problems()).toEqual([
      'checks/a.yaml:4:6 "run" means nothing in a check of type file',
      'checks/a.yaml:3:7 "path" must be a relative path inside the repository, found "../outside"',
      'checks/b.yaml:4:6 "cwd" must be a relative path inside the repository, found "/tmp"',
    ]);
  });

  it("refuses an id that is taken, and anything that is no plain file", () => {
    write("a.yaml", "id: same\ntype: command\nrun: x\n");
    write("b.yaml", "id: same\ntype: command\nrun: y\n");
    mkdirSync(join(root, "checks", "c.yaml"));
    symlinkSync("a.yaml", join(root, "checks", "d.yaml"));
    expect(problems()).toEqual([
      'checks/b.yaml:1:5 the check id "same" is taken by checks/a.yaml:1:5',
      "checks/c.yaml c.yaml is not a regular file of at most 256 KiB",
      "checks/d.yaml d.yaml is not a regular file of at most 256 KiB",
    ]);
  });

  it("warns when no check is required", () => {
    write("a.yaml", "id: a\ntype: command\nrun: x\nrequired: false\n");
    expect(loadChecks(root, "checks").problems).toMatchObject([{ severity: "warning" }]);
  });
});
