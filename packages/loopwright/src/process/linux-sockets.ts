import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import type { ListeningSocket } from "./processes.ts";

/** Joins the sockets among a process's descriptors with the listening rows of its own network namespace. */
export function linuxListening(pids: readonly number[]): ListeningSocket[] {
  return pids.flatMap((pid) => {
    const sockets = socketInodes(pid);
    if (sockets.size === 0) return [];
    const ports = new Set<number>();
    for (const table of ["tcp", "tcp6"]) {
      for (const row of listeningRows(pid, table)) if (sockets.has(row.inode)) ports.add(row.port);
    }
    return [...ports].sort((a, b) => a - b).map((port) => ({ pid, port }));
  });
}

function socketInodes(pid: number): Set<string> {
  const inodes = new Set<string>();
  for (const name of orEmpty(() => readdirSync(`/proc/${pid}/fd`))) {
    const target = orEmpty(() => [readlinkSync(`/proc/${pid}/fd/${name}`)])[0];
    const inode = target === undefined ? undefined : /^socket:\[(\d+)\]$/.exec(target)?.[1];
    if (inode !== undefined) inodes.add(inode);
  }
  return inodes;
}

/** Columns: `sl local_address rem_address st … inode`; state 0A is LISTEN. */
function listeningRows(pid: number, table: string): { port: number; inode: string }[] {
  const lines = orEmpty(() =>
    readFileSync(`/proc/${pid}/net/${table}`, "latin1").split("\n").slice(1),
  );
  return lines.flatMap((line) => {
    const columns = line.trim().split(/\s+/);
    const port = columns[1]?.split(":")[1];
    const inode = columns[9];
    if (columns[3] !== "0A" || port === undefined || inode === undefined) return [];
    return [{ port: Number.parseInt(port, 16), inode }];
  });
}

function orEmpty(source: () => string[]): string[] {
  try {
    return source();
  } catch {
    return [];
  }
}
