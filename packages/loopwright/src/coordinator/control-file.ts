import { lstatSync } from "node:fs";
import type { State } from "@loopwright/engine";
import {
  type AgentDocument,
  type Control,
  control,
  controlFile,
  type ControlFile,
} from "@loopwright/protocol";
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
    // What a coordinator wrote and nobody touched asks for nothing, also when it says "stopped" of a reopened session.
    if (said?.state !== "stopped" || said.settled === "stopped") return;
    if (said.stop_reason === null) {
      if (said.attempt_id === null || said.settled !== undefined) stop = { reason: said.reason };
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

/** `settled`: the state that the coordinator wrote. Differs from `state` once somebody has turned the switch. */
type Switch = ControlFile & { readonly settled?: ControlFile["state"] | undefined };

function switchOf(state: State): Switch {
  const stopped = state.status !== "running";
  const reason = state.stop_reason;
  return {
    schema_version: 1,
    attempt_id: state.task?.attempt_id ?? null,
    state: stopped ? "stopped" : "running",
    stop_reason: reason === "goal_met" || reason === "unresolvable_error" ? reason : null,
    reason: (stopped ? (state.stop_detail ?? state.stop_reason ?? "") : "").slice(0, 4000),
    attempted_routes: [],
    settled: stopped ? "stopped" : "running",
  };
}

function parseSwitch(text: string): Switch | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const parsed = switchFile.safeParse({ schema_version: 1, ...value });
  return parsed.success ? parsed.data : undefined;
}

const switchFile = controlFile.extend({ settled: controlFile.shape.state.optional() });

function signatureOf(path: string): string | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined
    ? undefined
    : `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;
}
