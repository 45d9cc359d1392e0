import { lstatSync } from "node:fs";
import type { DiscoveryFile } from "@loopwright/protocol";
import type { SessionLayout } from "../store/session-layout.ts";
import { writeDurable } from "../store/durable-write.ts";
import type { Seams } from "./seams.ts";
import type { Tokens } from "./tokens.ts";

export interface Discoverable {
  readonly sessionId: string;
  readonly url: string;
  readonly tokens: Tokens;
  readonly epoch: number;
  readonly version: string;
}

export interface Discovery {
  /** Writes it where it isn't there as we wrote it: an agent that deletes or replaces it must not cut people off. */
  keep(): void;
}

/**
 * Says in `coordinator.json` (0600) how this coordinator is reached. It stays behind at the end: readers ask whether the
 * process that it names still lives. Not synced: after a power failure nobody listens at that address anyway.
 */
export function createDiscovery(
  { disk, processes }: Seams,
  layout: SessionLayout,
  at: Discoverable,
): Discovery {
  const file: DiscoveryFile = {
    schema_version: 1,
    session_id: at.sessionId,
    url: at.url,
    worker_token: at.tokens.worker,
    people_token: at.tokens.people,
    identity: processes.self(),
    epoch: at.epoch,
    program_version: at.version,
  };
  const text = `${JSON.stringify(file, undefined, 2)}\n`;
  let written: string | undefined;
  return {
    keep() {
      if (written !== undefined && written === signatureOf(layout.coordinator)) return;
      writeDurable(disk, layout.coordinator, text, { durable: false });
      written = signatureOf(layout.coordinator);
    },
  };
}

function signatureOf(path: string): string | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? undefined : `${stats.ino} ${stats.size} ${stats.mtimeNs}`;
}
