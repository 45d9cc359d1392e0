import { lstatSync } from "node:fs";
import type { State } from "@loopwright/engine";
import { type AgentDocument, type Control, control, controlFile, type ControlFile } from "@loopwright/protocol";
import type { Disk } from "../store/disk.ts";
import { readAgentFile } from "../store/agent-file.ts";
import { writeDurable } from "../store/durable-write.ts";
import type { SessionLayout } from "../store/session-layout.ts";

/** The session's `control.json`: the fold's view of the stop switch, until somebody else writes there. */
export interface ControlSwitch {
  /** A person's plain `{state: stopped, reason}`, once. */
  personalStop(): { readonly reason: string } | undefined;
  /** A terminal control that names an attempt, once: judged when a task finishes that brought none of its own. */
  claimed(): AgentDocument<Control>;
  /** Rewrites it from the fold where it says something else. Takes first what somebody wrote meanwhile. */
  rewrite(state: State): void;
}

export function createControlSwitch(disk: Disk, layout: SessionLayout): ControlSwitch {
  let ours: string | undefined;
  let written = "";
  let stop: { reason: string } | undefined;
  let claim: AgentDocument<Control> = { state: "absent" };

  const look = (): void => {
    const found = signatureOf(layout.control);
    if (found === undefined || found === ours) return;
    ours = found;
    written = "";
    const file = readAgentFile(layout.control, { root: layout.directory });
    const said = file.kind === "text" ? parseSwitch(file.text) : undefined;
    if (said?.state !== "stopped") return;
    if (said.attempt_id === null) {
      if (said.stop_reason === null) stop = { reason: said.reason };
      return;
    }
    const parsed = control.safeParse(said);
    if (parsed.success) claim = { state: "valid", value: parsed.data };
  };

  return {
    personalStop() {
      look();
      const taken = stop;
      stop = undefined;
      return taken;
    },
    claimed() {
      look();
      const taken = claim;
      claim = { state: "absent" };
      return taken;
    },
    rewrite(state) {
      look();
      const text = `${JSON.stringify(switchOf(state), undefined, 2)}\n`;
      if (text === written) return;
      writeDurable(disk, layout.control, text, { durable: false });
      ours = signatureOf(layout.control);
      written = text;
    },
  };
}

function switchOf(state: State): ControlFile {
  const stopped = state.status !== "running";
  const reason = state.stop_reason;
  return {
    schema_version: 1,
    attempt_id: state.task?.attempt_id ?? null,
    state: stopped ? "stopped" : "running",
    stop_reason: reason === "goal_met" || reason === "unresolvable_error" ? reason : null,
    reason: (stopped ? (state.stop_detail ?? state.stop_reason ?? "") : "").slice(0, 4000),
    attempted_routes: [],
  };
}

function parseSwitch(text: string): ControlFile | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const parsed = controlFile.safeParse({ schema_version: 1, ...value });
  return parsed.success ? parsed.data : undefined;
}

function signatureOf(path: string): string | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? undefined : `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;
}
