import { preflightSchedule } from "@loopwright/engine";
import { frozenWorkflow, frozenConfiguration, workflowFile } from "@loopwright/protocol";
import { describe, expect, test } from "vitest";
import { rulesOf } from "../control-plane/project/freeze.ts";
import { parseYamlFile } from "../control-plane/project/yaml-file.ts";
import { unknownPlaceholders } from "../worker/placeholders.ts";
import { templateName, TEMPLATES, workflowSetFiles } from "./templates.ts";

const configuration = frozenConfiguration.parse({
  goal_file: "goal.md",
  workflow_set: "x",
  agents: { coder: { adapter: "command", command: ["sh"] } },
  default_agent: "coder",
});

describe.each(TEMPLATES)("the template %s", (name) => {
  const files = workflowSetFiles(name);
  const ids = [...files.keys()]
    .filter((file) => file.endsWith("/prompt.md"))
    .map((file) => file.replace("/prompt.md", ""));

  test("has a schedule that no scenario brings to an end", () => {
    const workflows = ids.map((id) => {
      const { value, problems } = parseYamlFile(
        files.get(`${id}/workflow.yaml`) ?? "",
        id,
        workflowFile,
      );
      expect(problems).toEqual([]);
      return frozenWorkflow.parse({ ...value, id, prompt: files.get(`${id}/prompt.md`) });
    });
    expect(preflightSchedule(rulesOf(configuration, workflows, { checks: [] }))).toEqual([]);
  });

  test("has prompts that fit one screen and name only what there is", () => {
    expect(ids.length).toBeGreaterThan(0);
    for (const [file, text] of files) {
      expect(unknownPlaceholders(text), file).toEqual([]);
      if (!file.endsWith(".md")) continue;
      expect(text.split("\n").length, file).toBeLessThan(45);
      expect(text.length, file).toBeLessThan(3000);
    }
  });

  test("has examples of what agents write that the contract accepts", async () => {
    const { control, goalCheck, report } = await import("@loopwright/protocol");
    const schemas = { recommended_action: report, stop_reason: control, goal_met: goalCheck };
    const attempt = "01jabcdefghjkmnpqrstvwxyz0";
    const examples = [...files.values()]
      .flatMap((text) => [...text.matchAll(/`(\{"schema_version"[\s\S]*?\})`/g)])
      .map(
        (match) =>
          JSON.parse((match[1] ?? "").replace("{{attempt_id}}", attempt)) as Record<
            string,
            unknown
          >,
      );
    expect(examples.length).toBeGreaterThan(1);
    for (const example of examples) {
      const [, schema] = Object.entries(schemas).find(([field]) => field in example) ?? [];
      expect(schema?.safeParse(example).error).toBeUndefined();
    }
  });
});

test("a template that there isn't is answered with the nearest", () => {
  expect(() => templateName("inner_outer_evl")).toThrow(
    expect.objectContaining({ hint: 'Did you mean "inner_outer_eval"?' }),
  );
  expect(() => templateName("planner_dispatcher")).toThrow("There is no template");
});
