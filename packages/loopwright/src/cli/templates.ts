import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LoopwrightError } from "@loopwright/protocol";
import { closest } from "../control-plane/closest.ts";

export const TEMPLATES = ["single", "inner_outer_eval"] as const;
export type TemplateName = (typeof TEMPLATES)[number];

export const DEFAULT_TEMPLATE: TemplateName = "inner_outer_eval";

/** Throws USAGE for a template that there isn't. */
export function templateName(name: string): TemplateName {
  const found = TEMPLATES.find((template) => template === name);
  if (found !== undefined) return found;
  const near = closest(name, TEMPLATES);
  throw new LoopwrightError(
    "USAGE",
    `There is no template ${JSON.stringify(name)} in this version`,
    {
      hint:
        near === undefined
          ? `There is ${TEMPLATES.join(" and ")}.`
          : `Did you mean ${JSON.stringify(near)}?`,
    },
  );
}

/** The files of a workflow set, by name relative to the set's folder. */
export function workflowSetFiles(name: TemplateName): Map<string, string> {
  const folder = join(templatesFolder(), name);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    /\.(?:md|yaml)$/.test(file),
  );
  return new Map(files.sort().map((file) => [file, readFileSync(join(folder, file), "utf8")]));
}

/** One of the files that every project starts with. */
export function projectTemplate(name: string): string {
  return readFileSync(join(templatesFolder(), "project", name), "utf8");
}

/** Beside `dist/` in the package, at the top of a checkout. */
export function templatesFolder(): string {
  const candidates = ["../templates", "../../../../templates"].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  const found = candidates.find((path) => existsSync(join(path, "project", "goal.md")));
  if (found !== undefined) return found;
  throw new LoopwrightError(
    "UNEXPECTED",
    "The templates of Loopwright are missing from its installation",
    {
      hint: "Install it again.",
    },
  );
}
