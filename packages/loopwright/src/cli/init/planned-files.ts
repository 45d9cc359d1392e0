import { existsSync } from "node:fs";
import { join } from "node:path";
import { configurationFile } from "@loopwright/protocol";
import { readYamlFile } from "../../control-plane/project/yaml-file.ts";
import {
  DEFAULT_TEMPLATE,
  projectTemplate,
  TEMPLATES,
  type TemplateName,
  workflowSetFiles,
} from "../templates.ts";
import type { AgentChoice } from "./agent-choice.ts";

/** Name -> text of the files that a project of this template has, in the order in which they are told. */
export function plannedFiles(
  root: string,
  template: TemplateName | undefined,
  agent: AgentChoice,
): Map<string, string> {
  const files = new Map<string, string>();
  const set = template ?? setOfExisting(root);
  const configuration = projectTemplate("loopwright.yaml")
    .replace("{{workflow_set}}", () => set ?? DEFAULT_TEMPLATE)
    .replace("{{agents}}", () => agent.yaml);
  files.set("loopwright.yaml", configuration);
  files.set(".loopwright/goal.md", projectTemplate("goal.md"));
  files.set(".loopwright/.gitignore", projectTemplate("gitignore"));
  files.set(".loopwright/checks/example.yaml.off", projectTemplate("example.yaml.off"));
  if (set === undefined) return files;
  // A set that somebody has made their own isn't completed with files that they removed.
  if (template === undefined && existsSync(join(root, ".loopwright", "workflows", set)))
    return files;
  for (const [name, text] of workflowSetFiles(set)) {
    files.set(join(".loopwright", "workflows", set, name), text);
  }
  return files;
}

/** The set that an existing configuration names, if we have it; undefined if it names another. */
function setOfExisting(root: string): TemplateName | undefined {
  const file = readYamlFile(join(root, "loopwright.yaml"), "loopwright.yaml", configurationFile);
  if (file === undefined) return DEFAULT_TEMPLATE;
  const named = (file.raw as Record<string, unknown> | undefined)?.["workflow_set"];
  return TEMPLATES.find((template) => template === named);
}
