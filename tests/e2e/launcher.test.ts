import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";

const dev = fileURLToPath(new URL("../../dev", import.meta.url));
const elsewhere = mkdtempSync(join(tmpdir(), "loopwright-launcher-"));
afterAll(() => rmSync(elsewhere, { recursive: true, force: true }));

function launch(file: string, ...args: string[]) {
  return spawnSync(file, args, { cwd: elsewhere, encoding: "utf8" });
}

test("dev alone says what it can do", () => {
  const { status, stdout, stderr } = launch(dev);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^usage: \.\/dev <command>/);
  expect(stderr).toBe("");
});

test("dev refuses a command that it doesn't know, with exit code 2", () => {
  const { status, stdout, stderr } = launch(dev, "biuld");
  expect(status).toBe(2);
  expect(stdout).toBe("");
  expect(stderr).toMatch(/^dev: there is no command "biuld"\.\nusage: /);
});

test("dev passes on arguments and exit code, from any folder and through a link", () => {
  const link = join(elsewhere, "link");
  symlinkSync(dev, link);
  const { status, stderr } = launch(link, "check", "no such check");
  expect(stderr).toMatch(/^check: there is no "no such check"; there is types, /);
  expect(status).toBe(2);
});

test("dev hands the rest of the line to the tool behind it", () => {
  const { status, stdout, stderr } = launch(dev, "test", "there-is-no-test-of-this-name");
  expect(stdout + stderr).toContain("No test files found");
  expect(status).toBe(1);
});
