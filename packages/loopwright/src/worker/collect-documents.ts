import { lstatSync, renameSync } from "node:fs";
import { join } from "node:path";
import {
  type AgentDocument,
  type ChildRequest,
  childRequest,
  type Control,
  control,
  type GoalCheck,
  goalCheck,
  type Report,
  report,
  TEXT_LIMIT,
} from "@loopwright/protocol";
import type { ZodType } from "zod";
import { firstOf } from "../agents/text-tail.ts";
import type { Redactor } from "../agents/redaction/redactor.ts";
import { listAgentDirectory, readAgentFile } from "../store/agent-file.ts";
import type { IterationLayout } from "../store/iteration-layout.ts";

export interface CollectedDocuments {
  readonly report: AgentDocument<Report>;
  readonly goal_check: AgentDocument<GoalCheck>;
  readonly control: AgentDocument<Control>;
  readonly child_requests: {
    readonly name: string;
    readonly document: AgentDocument<ChildRequest>;
  }[];
}

const MOST_CHILD_REQUESTS = 32;

/** Reads once what the agent left in `out/`; nothing of it is looked at again. Never throws for what an agent can do. */
export function collectDocuments(
  layout: IterationLayout,
  attemptId: string,
  redactor: Redactor,
): CollectedDocuments {
  const read = <T>(path: string, schema: ZodType<T>): AgentDocument<T> =>
    readDocument(path, schema, { root: layout.directory, redactor });
  const refused = takeControl(layout);
  return {
    report: ofAttempt(read(layout.report, report), attemptId),
    goal_check: read(layout.goalCheck, goalCheck),
    control: refused ?? read(layout.controlTaken, control),
    child_requests: listAgentDirectory(layout.childRequests, {
      limit: MOST_CHILD_REQUESTS,
      root: layout.directory,
    })
      .filter((name) => name.endsWith(".json") && name.length <= 200)
      .map((name) => ({ name, document: read(join(layout.childRequests, name), childRequest) })),
  };
}

/**
 * Renames `out/control.json` to `control_taken.json`: written later, it isn't seen. A crash after the rename and before
 * `result.json` leaves the taken one, which the adopting worker reads; a second request doesn't replace it.
 */
function takeControl({
  out,
  control: from,
  controlTaken,
}: IterationLayout): AgentDocument<Control> | undefined {
  if (lstatSync(controlTaken, { throwIfNoEntry: false }) !== undefined) return undefined;
  if (!(lstatSync(out, { throwIfNoEntry: false })?.isDirectory() ?? false)) return undefined;
  try {
    renameSync(from, controlTaken);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT")
      return { state: "invalid", reason: `control.json can't be taken (${code ?? String(error)})` };
  }
  return undefined;
}

function readDocument<T>(
  path: string,
  schema: ZodType<T>,
  { root, redactor }: { readonly root: string; readonly redactor: Redactor },
): AgentDocument<T> {
  const file = readAgentFile(path, { root });
  if (file.kind === "absent") return { state: "absent" };
  if (file.kind === "refused") return { state: "invalid", reason: file.reason };
  const invalid = (reason: string): AgentDocument<T> => ({
    state: "invalid",
    reason: firstOf(redactor.text(reason), 500),
    text: firstOf(redactor.text(file.text), TEXT_LIMIT),
  });
  let value: unknown;
  try {
    value = JSON.parse(file.text);
  } catch (error) {
    return invalid(`is not JSON: ${(error as Error).message}`);
  }
  const parsed = schema.safeParse(redactor.value(value));
  if (parsed.success) return { state: "valid", value: parsed.data };
  const issue = parsed.error.issues[0];
  const field = issue?.path.map(String).join(".") ?? "";
  return invalid(
    `${field === "" ? "" : `${field}: `}${issue?.message ?? "is not what was agreed"}`,
  );
}

/** A copy of an earlier report is no account of this attempt. */
function ofAttempt(document: AgentDocument<Report>, attemptId: string): AgentDocument<Report> {
  if (document.state !== "valid" || document.value.attempt_id === attemptId) return document;
  return {
    state: "invalid",
    reason: `attempt_id: names another attempt (${document.value.attempt_id})`,
    text: firstOf(JSON.stringify(document.value), TEXT_LIMIT),
  };
}
