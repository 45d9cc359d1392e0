import { frozenConfiguration } from "@loopwright/protocol";
import { expect, test } from "vitest";
import type { AgentSettings, LaunchPlan } from "../port.ts";
import { planCommand } from "./plan.ts";

function plan(agent: object): LaunchPlan {
  const configuration = frozenConfiguration.parse({
    goal_file: "g",
    workflow_set: "s",
    default_agent: "a",
    agents: { a: { adapter: "command", ...agent } },
  });
  const settings = { ...configuration.agents["a"], name: "a" } as AgentSettings;
  return planCommand({
    settings,
    permissions: "workspace",
    attemptId: "x",
    checkout: "/c",
    promptFile: "/i/prompt.md",
    writable: [],
    home: "/h",
    environment: {},
    resume: null,
  });
}

test("the prompt comes on stdin and never as an argument", () => {
  expect(
    plan({ command: ["node", "agent.mjs"], args: ["--model", "{model}"], model: "m" }),
  ).toEqual({
    file: "node",
    args: ["agent.mjs", "--model", "m"],
    env: {},
    stdin: "/i/prompt.md",
    files: [],
    links: [],
  });
});

test("or as a file, whose path is put where the arguments ask for it", () => {
  expect(
    plan({ command: ["run"], args: ["--file={prompt_file}", "{other}"], prompt: "file" }),
  ).toMatchObject({
    args: ["--file=/i/prompt.md", "{other}"],
    stdin: null,
  });
});
