import { frozenConfiguration, frozenWorkflow, type SessionFile } from "@loopwright/protocol";
import { expect, it } from "vitest";
import { changedSettings } from "./changed-settings.ts";

const BEFORE = sessionOf({});

it("names nothing where nothing differs", () => {
  expect(changedSettings(BEFORE, sessionOf({}))).toEqual([]);
});

it("names each setting that differs, with its values where they are short", () => {
  const now = sessionOf({
    configuration: { limits: { max_iterations: 5 } },
    workflows: [
      { id: "work", prompt: "Work harder.\nAnd longer." },
      { id: "more", prompt: "More." },
    ],
  });
  expect(changedSettings(BEFORE, now)).toEqual([
    "limits.max_iterations: 3 -> 5",
    "workflows.more (added)",
    "workflows.work.prompt",
  ]);
});

it("never tells the values of an environment", () => {
  const now = sessionOf({
    configuration: {
      agents: { coder: { adapter: "command", command: ["true"], env: { KEY: "secret" } } },
    },
  });
  expect(changedSettings(BEFORE, now).join()).not.toContain("secret");
});

function sessionOf(changes: { configuration?: object; workflows?: object[] }): SessionFile {
  const configuration = frozenConfiguration.parse({
    goal_file: "goal.md",
    workflow_set: "single",
    agents: { coder: { adapter: "command", command: ["true"], env: { KEY: "other" } } },
    default_agent: "coder",
    limits: { max_iterations: 3 },
    ...changes.configuration,
  });
  const workflows = changes.workflows ?? [{ id: "work", prompt: "Work.\n" }];
  return {
    configuration,
    workflows: workflows.map((each) => frozenWorkflow.parse(each)),
    preamble: "",
    pins: { checks: [], files: [], links: [] },
  } as unknown as SessionFile;
}
