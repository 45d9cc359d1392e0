import { configurationFile } from "@loopwright/protocol";
import { expect, test } from "vitest";
import { parseYamlFile } from "../control-plane/project/yaml-file.ts";
import { adapterOf, availableAdapters } from "./adapters.ts";

test("the configuration takes exactly the adapters that there are", () => {
  const problemsOf = (adapter: string): string[] => {
    const text = `goal_file: g\nworkflow_set: s\nagents: { a: { adapter: ${adapter} } }\ndefault_agent: a\n`;
    return parseYamlFile(text, "f", configurationFile).problems.map(({ message }) => message);
  };
  for (const id of availableAdapters()) expect(problemsOf(id)).toEqual([]);
  expect(problemsOf("none")).toEqual([
    expect.stringContaining(`${availableAdapters().join(", ")}, found "none"`),
  ]);
  expect(() => adapterOf("acp")).toThrow("not available in this version");
});
