import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeOutputLog } from "./output-log.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "loopwright-log-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

async function log(stdout: Uint8Array | string, stderr: string, cap: number): Promise<Buffer> {
  const raw = { stdout: join(directory, "out"), stderr: join(directory, "err") };
  writeFileSync(raw.stdout, stdout);
  writeFileSync(raw.stderr, stderr);
  await writeOutputLog(join(directory, "log"), raw, { A_KEY: "secret-value" }, cap);
  return readFileSync(join(directory, "log"));
}

test("bytes stay what they are, stderr comes under a line of its own", async () => {
  const bytes = Buffer.from([0xff, 0x00, 0x0a, 0xc3]);
  expect(await log(bytes, "", 1000)).toEqual(bytes);
  expect((await log("out\n", "err\n", 1000)).toString()).toBe("out\n\n--- stderr ---\nerr\n");
});

test("beyond the cap the middle is left out with a mark", async () => {
  const text = (await log(`${"a".repeat(5_000)}${"b".repeat(5_000)}`, "", 1_000)).toString();
  expect(text).toBe(`${"a".repeat(500)}\n--- 9000 bytes left out ---\n${"b".repeat(500)}`);
});

test("a flood on one side leaves room for the other", async () => {
  const text = (await log("x".repeat(100_000), "the error\n", 1_000)).toString();
  expect(text).toContain("--- stderr ---\nthe error\n");
});

test("a secret over a chunk border is hidden", async () => {
  const text = (await log(`${"x".repeat(262_139)} secret-value\n`, "", 1e6)).toString();
  expect(text).toMatch(/x \[redacted\]\n$/);
});

test("a link in place of the raw output is not followed", async () => {
  writeFileSync(join(directory, "else"), "not yours");
  symlinkSync(join(directory, "else"), join(directory, "link"));
  await writeOutputLog(
    join(directory, "log"),
    { stdout: join(directory, "link"), stderr: join(directory, "none") },
    {},
    1000,
  );
  expect(readFileSync(join(directory, "log"), "utf8")).toBe("");
});
