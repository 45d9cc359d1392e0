import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { LoopwrightError } from "@loopwright/protocol";
import { initialObjective } from "../init/objective.ts";
import { proposeGoalId, validateGoalId } from "../../control-plane/goal-id.ts";
import { refuseOther } from "../../control-plane/goal-record.ts";
import { noteProject } from "../../control-plane/projects.ts";
import { registerGoal } from "../../control-plane/register-goal.ts";
import { expandHome, registryProjectRoot } from "../../control-plane/registry-path.ts";
import { repositoryFacts, type RepositoryProblem } from "../../git/repository.ts";
import { timestamp } from "../../seams/clock.ts";
import { runtimeLayout } from "../../store/layout.ts";
import type { Invocation } from "../catalogue/dispatch.ts";
import type { Context } from "../context.ts";
import { chooseAgent } from "../init/agent-choice.ts";
import { plannedFiles } from "../init/planned-files.ts";
import { createMissing } from "../init/project-files.ts";
import { projectRootFor } from "../init/project-root.ts";
import { openRegistry, type RegistryTarget } from "../target.ts";
import { templateName } from "../templates.ts";

interface InitOptions {
  readonly template?: string;
  readonly goalId?: string;
  readonly agent?: string;
}

export async function run(context: Context, invocation: Invocation): Promise<number> {
  const options = invocation.options as InitOptions;
  const template = options.template === undefined ? undefined : templateName(options.template);
  const agent = chooseAgent(options.agent, context.environment["PATH"] ?? "");
  const root = projectRootFor(context.cwd);
  const target = openRegistry(context, registryPathFor(context, root));
  const goalId = chooseGoalId(target, root, options.goalId);
  refuseTaken(target, goalId);

  const { created, kept } = createMissing(root, plannedFiles(root, template, agent));
  mkdirSync(join(target.registryPath, ".."), { recursive: true });
  const registryPath =
    realpathSync(join(target.registryPath, "..")) +
    target.registryPath.slice(target.registryPath.lastIndexOf("/"));
  const goalText = initialObjective(root);
  const registered = await registerGoal(context.seams, {
    registryPath,
    runtimeRoot: context.runtimeRootFlag === undefined ? undefined : target.runtimeRoot,
    home: context.home,
    goal: {
      id: goalId,
      title: goalText.title,
      repo: root,
      config: "loopwright.yaml",
      created_at: timestamp(context.seams.clock),
    },
    objective: goalText.objective,
  });
  await noteProject(context.seams, context.home, registryPath);

  const all = [...created, ...registered.created.map((path) => shown(root, path))];
  const facts = await repositoryFacts(root);
  tell(context, {
    root,
    goalId,
    created: all,
    kept,
    agent,
    missing: "problem" in facts ? facts.problem : undefined,
  });
  context.output.document({
    goal_id: goalId,
    project: root,
    registry: registryPath,
    runtime_root: registered.runtimeRoot,
    created: all,
    kept,
    agent: created.includes("loopwright.yaml") ? agent.name : null,
  });
  return 0;
}

/** A flag or the environment, else the project's own: not the nearest one, which may belong to a project around it. */
function registryPathFor(context: Context, root: string): string {
  const named = context.registryFlag ?? context.environment["LOOPWRIGHT_REGISTRY"];
  return named === undefined || named === ""
    ? join(root, ".loopwright", "registry.json")
    : resolve(context.cwd, expandHome(named, context.home));
}

/** The one asked for, else the one that this project has already, else a new one. */
function chooseGoalId(target: RegistryTarget, root: string, asked: string | undefined): string {
  if (asked !== undefined) return validateGoalId(asked);
  const base = registryProjectRoot(target.registryPath);
  const known = target.registry.goals.find(({ repo }) => resolve(base, repo) === root);
  if (known !== undefined) return known.id;
  const moved = target.registry.goals.find(({ repo }) => !existsSync(resolve(base, repo)));
  if (moved === undefined || base !== root) return proposeGoalId(root, target.registryPath);
  throw new LoopwrightError(
    "REPOSITORY_MISSING",
    `${target.registryPath} lists the goal ${JSON.stringify(moved.id)} in ${moved.repo}, which is gone`,
    {
      hint: `If this is the same repository, moved: loopwright goal adopt ${moved.id}. For another goal: loopwright init --goal-id ID`,
    },
  );
}

/** Before anything is made. */
function refuseTaken(target: RegistryTarget, goalId: string): void {
  const layout = runtimeLayout(target.runtimeRoot).goal(goalId);
  if (existsSync(layout.goalJson)) refuseOther(layout, { goalId, registry: target.registryPath });
}

interface Made {
  readonly root: string;
  readonly goalId: string;
  readonly created: readonly string[];
  readonly kept: readonly string[];
  readonly agent: { readonly name: string; readonly why: string };
  readonly missing: RepositoryProblem["problem"] | undefined;
}

/** What a loop lacks here: said before everything else, and what to do about it. */
const MISSING: Record<RepositoryProblem["problem"], { first: string; way: string }> = {
  not_a_repository: {
    first: "This folder is not in a git repository, and a loop needs one with a commit.",
    way: 'git init && git add . && git commit -m "Start"',
  },
  no_commit: {
    first: "This git repository has no commit yet, and a loop needs one to start from.",
    way: 'git add . && git commit -m "Start"',
  },
  bare: {
    first: "This git repository is bare, and a loop needs a work tree.",
    way: "git clone it, and go on in the clone",
  },
};

function tell({ output }: Context, made: Made): void {
  const { missing } = made;
  if (missing !== undefined) output.line(MISSING[missing].first);
  output.line(`Goal ${made.goalId} in ${made.root}`);
  for (const name of made.created) output.line(`  created  ${name}`);
  for (const name of made.kept) output.line(`  kept     ${name}`);
  if (made.created.length === 0) output.line("Everything was there already.");
  if (made.created.includes("loopwright.yaml")) {
    output.line(
      `Agent: ${made.agent.name} (${made.agent.why}). Change it under "agents" in loopwright.yaml.`,
    );
  }
  output.line();
  output.line("Next:");
  if (missing !== undefined) output.line(`  ${MISSING[missing].way}`);
  output.line("  write the goal into .loopwright/goal.md");
  output.line(
    "  describe how to tell that it is done in .loopwright/checks/ (example.yaml.off shows how)",
  );
  output.line("  loopwright validate");
  output.line("  loopwright run");
}

function shown(root: string, path: string): string {
  const inside = relative(root, path);
  return inside.startsWith("..") ? path : inside;
}
