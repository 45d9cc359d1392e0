import { createHash } from "node:crypto";
import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { Disk } from "../store/disk.ts";
import { readAgentFile } from "../store/agent-file.ts";
import type { SessionLayout } from "../store/session-layout.ts";

/** `project_state/requests/<workflow>.md`: what workflows ask of workflows that run when requested. */
export interface Requests {
  /** Workflow -> digest of the request file's mtime_ns and content, for those that have one. */
  standing(workflowIds: readonly string[]): Record<string, string>;
  /** Moves a consumed request to `requests/done/`. A newer one survives: its digest is another. */
  settle(workflowId: string, digest: string, iteration: number): void;
}

interface Seen {
  readonly signature: string;
  readonly digest: string | undefined;
}

/** One `lstat` a workflow while nothing changes. */
export function createRequests(disk: Disk, layout: SessionLayout): Requests {
  const seen = new Map<string, Seen>();

  const digestOf = (workflowId: string): string | undefined => {
    const path = layout.request(workflowId);
    const stats = lookAt(path);
    if (stats === undefined) return void seen.delete(workflowId);
    const known = seen.get(workflowId);
    if (known?.signature === stats.signature) return known.digest;
    const file = readAgentFile(path, { root: layout.directory });
    // It changed while it was read: not remembered, so that the next decision reads it again.
    const settled = lookAt(path)?.signature === stats.signature;
    const digest = file.kind === "text" ? sha256(`${stats.mtime}\n${file.text}`) : undefined;
    if (settled) seen.set(workflowId, { signature: stats.signature, digest });
    return settled ? digest : undefined;
  };

  return {
    standing(workflowIds) {
      const found: Record<string, string> = {};
      for (const id of workflowIds) {
        const digest = digestOf(id);
        if (digest !== undefined) found[id] = digest;
      }
      return found;
    },
    settle(workflowId, digest, iteration) {
      if (digestOf(workflowId) !== digest) return;
      const to = join(
        layout.requestsDone,
        `${String(iteration).padStart(4, "0")}_${workflowId}.md`,
      );
      try {
        if (!isPlainDirectory(layout.requestsDone)) disk.mkdir(layout.requestsDone);
        disk.rename(layout.request(workflowId), to);
      } catch {
        // A crash or a failure here leaves the file: its digest stands in the state as consumed, so it asks for nothing.
      }
      seen.delete(workflowId);
    },
  };
}

function lookAt(path: string): { signature: string; mtime: bigint } | undefined {
  try {
    const { ino, size, mtimeNs, ctimeNs } = lstatSync(path, { bigint: true });
    return { signature: `${ino} ${size} ${mtimeNs} ${ctimeNs}`, mtime: mtimeNs };
  } catch {
    return undefined;
  }
}

function isPlainDirectory(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
