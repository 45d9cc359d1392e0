import { execFileSync } from "node:child_process";
import type { Liveness, ProcessIdentity } from "@loopwright/protocol";
import { darwinMachine, darwinSelf, startSeconds } from "./darwin-machine.ts";
import { descendantsOf } from "./family.ts";
import { MARKER } from "./marker.ts";
import type { ListeningSocket, ProcessInfo, Processes } from "./processes.ts";

const COLUMNS = "pid=,ppid=,pgid=,stat=,lstart=,command=";

/** Through `ps` and `lsof`, tens of milliseconds a look: correct first; a native table reader can replace it. */
export function createDarwinProcesses(): Processes {
  const machine = darwinMachine();
  const list = (): ProcessInfo[] => parseTable(ps(["-A", "-o", COLUMNS]));
  const info = (pid: number): ProcessInfo | undefined =>
    parseTable(ps(["-o", COLUMNS, "-p", String(pid)]))[0];

  const liveness = (identity: ProcessIdentity): Liveness => {
    if (identity.boot_id !== machine.boot_id)
      return identity.host === machine.host ? "dead" : "unknown";
    if (identity.pid_namespace !== machine.pid_namespace) return "unknown";
    try {
      return info(identity.pid)?.start_time === identity.start_time ? "alive" : "dead";
    } catch {
      return "unknown";
    }
  };

  return {
    self: darwinSelf,
    identity(pid) {
      const row = info(pid);
      return row === undefined ? undefined : { ...machine, pid, start_time: row.start_time };
    },
    liveness,
    info,
    list,
    marked(marker, variable = MARKER) {
      // `-E` appends the environment; the word boundary keeps a longer value from matching.
      const marks = new RegExp(`(?:^|\\s)${variable}=${marker.replace(/\W/g, "\\$&")}(?:\\s|$)`);
      const pids = ps(["-A", "-E", "-o", "pid=,command="])
        .split("\n")
        .filter((line) => marks.test(line))
        .map((line) => Number.parseInt(line, 10));
      const wanted = new Set(pids);
      return list().filter((row) => wanted.has(row.pid));
    },
    descendants: (pids) => descendantsOf(list(), pids),
    listening: lsofListening,
    signal(target, signal) {
      return target.pid !== process.pid && liveness(target) === "alive" && send(target.pid, signal);
    },
    signalGroup(leader, signal) {
      if (liveness(leader) !== "alive") return false;
      if (info(leader.pid)?.group !== leader.pid || info(process.pid)?.group === leader.pid)
        return false;
      return send(-leader.pid, signal);
    },
  };
}

/** Rows of `ps -o pid=,ppid=,pgid=,stat=,lstart=,command=`, the dead left out. `ps` shows no session: the group. */
export function parseTable(text: string): ProcessInfo[] {
  return text.split("\n").flatMap((line) => {
    const match =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\w+\s+\w+\s+\d+\s+[\d:]+\s+\d+)\s+(.*)$/.exec(line);
    if (match === null) return [];
    const [, pid, parent, group, state = "?", lstart = "", command = ""] = match;
    if (state.startsWith("Z")) return [];
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        session: Number(group),
        state: state.slice(0, 1),
        start_time: startSeconds(lstart),
        command: command.trim().slice(0, 200),
      },
    ];
  });
}

function ps(args: string[]): string {
  try {
    const env = { LC_ALL: "C", TZ: "UTC0" };
    return execFileSync("/bin/ps", args, { encoding: "utf8", env, maxBuffer: 256 * 1024 * 1024 });
  } catch (error) {
    // Exit 1: no such process. A `ps` that could not be started says nothing, least of all that nobody lives.
    if (typeof (error as { status?: unknown }).status !== "number") throw error;
    return "";
  }
}

/** `-F pn` prints `p<pid>` and then `n<address>:<port>` for each socket. */
function lsofListening(pids: readonly number[]): ListeningSocket[] {
  if (pids.length === 0) return [];
  let text: string;
  try {
    const args = ["-nP", "-a", "-iTCP", "-sTCP:LISTEN", "-p", pids.join(","), "-F", "pn"];
    text = execFileSync("/usr/sbin/lsof", args, {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    return [];
  }
  const found: ListeningSocket[] = [];
  let pid = 0;
  for (const line of text.split("\n")) {
    if (line.startsWith("p")) pid = Number(line.slice(1));
    const port = /^n.*:(\d+)$/.exec(line)?.[1];
    if (port !== undefined) found.push({ pid, port: Number(port) });
  }
  return found;
}

function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
