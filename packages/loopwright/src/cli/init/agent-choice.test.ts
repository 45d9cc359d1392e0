import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configurationFile } from "@loopwright/protocol";
import { afterAll, expect, test } from "vitest";
import { parseYamlFile } from "../../control-plane/project/yaml-file.ts";
import { projectTemplate } from "../templates.ts";
import { chooseAgent } from "./agent-choice.ts";

const path = mkdtempSync(join(tmpdir(), "loopwright-agents-"));
afterAll(() => rmSync(path, { recursive: true }));

test("the first agent that is installed is chosen, and said", () => {
  expect(chooseAgent(undefined, path)).toMatchObject({
    name: "command",
    why: expect.stringContaining("no agent CLI"),
  });
  for (const name of ["gemini", "codex"]) {
    writeFileSync(join(path, name), "#!/bin/sh\n");
    chmodSync(join(path, name), 0o755);
  }
  expect(chooseAgent(undefined, path)).toMatchObject({ name: "codex", why: "codex is installed" });
  expect(chooseAgent("gemini", path).name).toBe("gemini");
});

test("an agent that there isn't is answered with the nearest", () => {
  expect(() => chooseAgent("claud", path)).toThrow(
    expect.objectContaining({ code: "USAGE", hint: 'Did you mean "claude"?' }),
  );
});

test.each(["command", "claude", "codex", "gemini", "opencode"])(
  "the configuration with %s is valid",
  (name) => {
    const text = projectTemplate("loopwright.yaml")
      .replace("{{workflow_set}}", "single")
      .replace("{{agents}}", chooseAgent(name, path).yaml);
    expect(parseYamlFile(text, "loopwright.yaml", configurationFile).problems).toEqual([]);
  },
);
