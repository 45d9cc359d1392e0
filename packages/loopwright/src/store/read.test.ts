import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { jsonErrorPosition } from "./json-position.ts";
import { readJson, readJsonIfPresent } from "./read.ts";
import { temporaryDirectory } from "./testing/temporary-directory.ts";

const schema = z.object({ schema_version: z.literal(1), name: z.object({ first: z.string() }) });
const newPath = (): string => join(temporaryDirectory(), "file.json");

function written(content: string): string {
  const path = newPath();
  writeFileSync(path, content);
  return path;
}

test("a good file is read, through a link too", () => {
  const path = written('{"schema_version": 1, "name": {"first": "Ada"}, "more": 1}');
  symlinkSync(path, `${path}.link`);
  for (const each of [path, `${path}.link`]) expect(readJson(each, schema).name.first).toBe("Ada");
});

test("only a missing file is absent", () => {
  const path = newPath();
  expect(readJsonIfPresent(path, schema)).toBeUndefined();
  expect(() => readJson(path, schema)).toThrowError(`${path} does not exist`);
});

describe("nothing corrupt is read as absent", () => {
  test.each([
    ["nothing", "", "is empty"],
    ["white space", " \n", "is empty"],
    ["zeros", "\0\0\0\0", ":1:1: this is not valid JSON"],
    ["half a file", '{"schema_version": 1,\n  "na', ":2:3: this is not valid JSON"],
    ["another shape", '{"schema_version":1,"name":{"first":7}}', "name.first: "],
    ["null", "null", "is not valid"],
  ])("%s", (_, content, message) => {
    const path = written(content);
    const error = expect.objectContaining({
      code: "FILE_INVALID",
      message: expect.stringContaining(message) as string,
    });
    expect(() => readJsonIfPresent(path, schema)).toThrowError(error);
    expect(() => readJson(path, schema)).toThrowError(error);
  });

  test("a newer version is refused by name of both versions, whatever its shape", () => {
    const path = written('{"schema_version": 3}');
    expect(() => readJsonIfPresent(path, schema, { version: 2 })).toThrowError(
      `${path} has schema version 3, but this program knows only up to 2`,
    );
  });

  test("a FIFO, a directory, a file too large", () => {
    const path = newPath();
    execFileSync("mkfifo", [path]);
    mkdirSync(`${path}.directory`);
    for (const each of [path, `${path}.directory`]) {
      expect(() => readJsonIfPresent(each, schema)).toThrowError("is not a regular file");
    }
    const large = written('{"schema_version": 1}');
    expect(() => readJsonIfPresent(large, schema, { maxBytes: 5 })).toThrowError("larger than 5");
  });
});

describe("the place of a mistake in JSON", () => {
  test.each([
    ['{"a": 1,}', 1, 9],
    ['{"a": 1\n "b": 2}', 2, 2],
    ["[1, 2", 1, 6],
    ["[1 2]", 1, 4],
    ['{"a" 1}', 1, 6],
    ["{a: 1}", 1, 2],
    ['{"a": tru}', 1, 7],
    ['["a\tb"]', 1, 4],
    ["{} x", 1, 4],
    ["[}", 1, 2],
    ["01", 1, 2],
  ])("of %j is %d:%d", (text, line, column) => {
    expect(jsonErrorPosition(text)).toEqual({ line, column });
  });

  test("is after the end for anything that is JSON", () => {
    fc.assert(
      fc.property(fc.json({ noUnicodeString: false }), fc.nat(3), (json, indent) => {
        const text = JSON.stringify(JSON.parse(json), null, indent);
        const lines = text.split("\n");
        expect(jsonErrorPosition(text)).toEqual({
          line: lines.length,
          column: (lines.at(-1) ?? "").length + 1,
        });
      }),
    );
  });
});
