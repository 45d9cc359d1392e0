import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { LoopwrightError } from "@loopwright/protocol";
import { type RuntimeLayout, runtimeLayout } from "../../store/layout.ts";
import { validateGoalId } from "../goal-id.ts";
import { loadRegistry, registryGoals } from "../registry.ts";
import { expandHome } from "../registry-path.ts";
import { resolveRuntimeRoot } from "../runtime-root.ts";
import type { ArchiveRequest } from "./archive-runtime-goal.ts";
import { type ArchiveFile, readArchiveFile } from "./archive-file.ts";
import { requireRealGoalDirectory } from "./goal-place.ts";
import { liveUse } from "./live-uses.ts";
import type { createChecks } from "./payload.ts";
import type { ArchiveSeams } from "./seams.ts";

export interface ArchivePlan {
  readonly runtimeRoot: string | null;
  readonly registryMember: boolean;
  readonly source: string;
  readonly archiveRoot: string;
  readonly archivePath: string;
  /** Undefined: a check refused. */
  readonly ready?: {
    readonly runtime: RuntimeLayout;
    /** An earlier move was cut off after its copy was complete: only the old place remains to be removed. */
    readonly unfinished?: ArchiveFile;
    /** What a restore that was cut off has left in the archive. */
    readonly staleCopy?: string;
  };
}

/** Looks at everything, in the order of the design, and changes nothing. */
export function planArchive(
  seams: ArchiveSeams,
  request: ArchiveRequest & { readonly home: string },
  { attempt }: ReturnType<typeof createChecks>,
): ArchivePlan {
  const { goalId, registryPath, home } = request;
  const nothing = {
    runtimeRoot: null,
    registryMember: false,
    source: "",
    archiveRoot: "",
    archivePath: "",
  };
  const id = attempt("goal_id", () => ({
    value: validateGoalId(goalId),
    detail: "the goal id is valid",
  }));
  if (id === undefined) return nothing;
  const registry = attempt("registry", () => ({
    value: loadRegistry(registryPath),
    detail: `${registryPath} is a registry`,
  }));
  if (registry === undefined) return nothing;
  const runtimeRoot = resolveRuntimeRoot(registry, {
    override: request.runtimeRootOverride,
    registryPath,
    home,
  });
  const runtime = runtimeLayout(runtimeRoot);
  const goals = registryGoals(registry).map((goal) => goal.id);
  const registryMember = goals.includes(id);
  const { directory: source } = runtime.goal(id);
  const to = destination(seams, request, runtime);
  const found: ArchivePlan = { runtimeRoot, registryMember, source, ...to };

  const allowed = attempt("not_registered", () => {
    if (registryMember && !request.allowRegistered) {
      throw new LoopwrightError(
        "GOAL_REGISTERED",
        `Goal ${JSON.stringify(id)} stands in ${registryPath}`,
        { hint: "Archive it all the same with: --allow-registered" },
      );
    }
    const detail = registryMember ? "it is registered, which was allowed" : "it isn't registered";
    return { value: true, detail };
  });
  if (allowed === undefined) return found;
  const real = attempt("source", () => ({
    value: requireRealGoalDirectory(runtime, id, goals),
    detail: `${source} is a directory in its place`,
  }));
  if (real === undefined) return found;
  const idle = attempt("not_in_use", () => {
    const use = liveUse(seams, runtime.goal(id));
    if (use !== undefined) throw use;
    return { value: true, detail: "nothing of it runs" };
  });
  if (idle === undefined) return found;
  return attempt("destination", () => freePlace(found, runtime)) ?? found;
}

function freePlace(
  found: ArchivePlan,
  runtime: RuntimeLayout,
): { value: ArchivePlan; detail: string } {
  const earlier = readArchiveFile(found.source);
  const twin = earlier === undefined ? undefined : twinOf(earlier);
  if (earlier !== undefined && twin !== undefined && earlier.state === "archiving") {
    const at = { archivePath: twin, archiveRoot: dirname(twin) };
    const detail = `${twin} holds a complete copy of a move that was cut off; the old place remains to be removed`;
    return { value: { ...found, ...at, ready: { runtime, unfinished: earlier } }, detail };
  }
  const { archivePath: to, source } = found;
  if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) {
    throw new LoopwrightError("PLACE_TAKEN", `${to} exists already, and nothing is overwritten`, {
      hint: "Choose another place with --to, or leave the choice to Loopwright.",
    });
  }
  const goals = realpathSync(runtime.goals);
  if (inside(to, goals) || inside(to, source) || to === runtime.archivedGoals) {
    throw new LoopwrightError("PLACE_TAKEN", `${to} lies among the goals, so it is no archive`, {
      hint: "Choose another place.",
    });
  }
  const staleCopy = twin === undefined ? {} : { staleCopy: twin };
  return { value: { ...found, ready: { runtime, ...staleCopy } }, detail: `${to} is free` };
}

/** Through links, as far as the path exists. */
function inside(path: string, directory: string): boolean {
  let here = resolve(path);
  let rest = "";
  while (lstatSync(here, { throwIfNoEntry: false }) === undefined && dirname(here) !== here) {
    rest = join(basename(here), rest);
    here = dirname(here);
  }
  const real = join(realpathSync(here), rest);
  return real === directory || real.startsWith(`${directory}${sep}`);
}

/** Where the archive of this very move lies, when it does. */
function twinOf({ archive_id, archive_path }: ArchiveFile): string | undefined {
  return readArchiveFile(archive_path)?.archive_id === archive_id ? archive_path : undefined;
}

/** `<goal>-<YYYYMMDDTHHMMSSZ>`, with `-2`, `-3` where that is taken. */
function destination(
  { clock }: ArchiveSeams,
  request: ArchiveRequest & { readonly home: string },
  runtime: RuntimeLayout,
): { archiveRoot: string; archivePath: string } {
  const exact = request.archivePath ?? "";
  if (exact !== "") {
    const path = resolve(expandHome(exact, request.home));
    return { archiveRoot: dirname(path), archivePath: path };
  }
  const asked = request.archiveRoot ?? "";
  const root = asked === "" ? runtime.archivedGoals : resolve(expandHome(asked, request.home));
  const stamp = new Date(clock.wall())
    .toISOString()
    .replace(/\.\d+Z$/, "Z")
    .replaceAll(/[-:]/g, "");
  const plain = join(root, `${request.goalId}-${stamp}`);
  for (let k = 1; ; k += 1) {
    const path = k === 1 ? plain : `${plain}-${k}`;
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) {
      return { archiveRoot: root, archivePath: path };
    }
  }
}
