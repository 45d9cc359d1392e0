import type { State } from "@loopwright/engine";
import { LoopwrightError, type Rules, type SessionFile } from "@loopwright/protocol";
import { rulesOf } from "../../control-plane/project/freeze.ts";
import { commitOffline } from "../../coordinator/offline.ts";
import { writeFrozen } from "../../store/frozen-file.ts";
import type { Context } from "../context.ts";
import { diffTexts, renderDiff } from "../diff/diff-texts.ts";
import { refuseMet, refuseMoved, refuseWhileAtWork, refuseWhileHeld } from "../idle-session.ts";
import type { OpenedSession } from "../open-session.ts";
import type { GoalTarget } from "../target.ts";
import { VERSION } from "../version.ts";
import { ask, ownTerminal } from "./ask.ts";
import { changedSettings } from "./changed-settings.ts";
import { presentProject } from "./present-project.ts";
import { settingTexts } from "./setting-texts.ts";

/**
 * Shows what differs between what a session is run with and what the project says now, asks, and takes it. Returns
 * whether the session may go on: false when the answer was no. Throws SESSION_RUNNING, SESSION_ENDED, STATE_MOVED,
 * USAGE where nobody can be asked, CONFIGURATION_INVALID with all problems.
 */
export async function reload(
  context: Context,
  target: GoalTarget,
  opened: OpenedSession,
  { yes }: { readonly yes: boolean },
): Promise<boolean> {
  const { session, state } = opened;
  refuseWhileHeld(context, target, {
    why: "which keeps the configuration that it was started with",
    hint: "Stop it first: loopwright stop. Then: loopwright resume --reload",
  });
  refuseWhileAtWork(context, state);
  refuseMet(state);
  const now = await presentProject(context, target, session);
  const changes = changedSettings(session, now);
  if (changes.length === 0) {
    context.output.line(`Nothing differs from what session ${opened.id} is run with.`);
    return true;
  }
  renderDiff(context.output, await diffTexts(settingTexts(session), settingTexts(now)));
  for (const change of changes) context.output.line(`changed  ${change}`);
  if (!yes && !(await isAgreed(context, opened.id))) return false;
  await take(context, target, opened, now, changes);
  context.output.line(`Session ${opened.id} took them over.`);
  return true;
}

async function isAgreed({ output }: Context, id: string): Promise<boolean> {
  const terminal = ownTerminal();
  if (terminal === undefined) {
    throw new LoopwrightError("USAGE", "Nothing was reloaded: there is no terminal to ask on", {
      hint: "An agent may have edited what differs; when you have looked at it: loopwright resume --reload --yes",
    });
  }
  const agreed = await ask(terminal, `Shall session ${id} go on with this?`);
  if (!agreed) output.line("Nothing was changed.");
  return agreed;
}

async function take(
  { seams }: Context,
  target: GoalTarget,
  opened: OpenedSession,
  now: SessionFile,
  changes: string[],
): Promise<void> {
  const { sha256 } = writeFrozen(seams.disk, opened.layout, now);
  const place = { runtimeRoot: target.runtimeRoot, goalId: target.goal.id, sessionId: opened.id };
  await commitOffline({ seams, ...place, version: VERSION }, (state) => {
    refuseMoved(opened, state);
    const rules = rulesUnder(state, opened.session, now);
    const data = { rules, session_sha256: sha256, changes, by: "user" };
    return { kind: "reload", reload: data };
  });
}

/** A limit that was raised stays so, unless the configuration's own is another one now. */
function rulesUnder(state: State, before: SessionFile, now: SessionFile): Rules {
  const rules = ruled(now);
  const own = ruled(before).limits;
  const limits = { ...rules.limits };
  const names = Object.keys(limits) as (keyof typeof limits)[];
  const raised = names.filter((name) => limits[name] === own[name]);
  Object.assign(limits, Object.fromEntries(raised.map((name) => [name, state.limits[name]])));
  return { ...rules, limits };
}

function ruled({ configuration, workflows, pins }: SessionFile): Rules {
  return rulesOf(configuration, workflows, pins);
}
