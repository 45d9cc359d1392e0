import { join } from "node:path";
import { projectsFile, SCHEMA_VERSION } from "@loopwright/protocol";
import { parseJson, readJsonIfPresent } from "../store/read.ts";
import { changeSharedFile, type FileSeams } from "./shared-file.ts";

/** Notes a project's registry where `status --all` finds it. Returns whether it wasn't noted before. */
export async function noteProject(
  seams: FileSeams,
  home: string,
  registryPath: string,
): Promise<boolean> {
  const path = projectsPath(home);
  let noted = false;
  await changeSharedFile(seams, path, (text) => {
    const file =
      text === undefined
        ? { schema_version: SCHEMA_VERSION as 1, registries: [] }
        : parseJson(path, text, projectsFile);
    if (file.registries.includes(registryPath)) return undefined;
    noted = true;
    return `${JSON.stringify({ ...file, registries: [...file.registries, registryPath] }, null, 2)}\n`;
  });
  return noted;
}

/** The project registries that were noted, oldest first. */
export function notedProjects(home: string): readonly string[] {
  return readJsonIfPresent(projectsPath(home), projectsFile)?.registries ?? [];
}

function projectsPath(home: string): string {
  return join(home, ".loopwright", "projects.json");
}
