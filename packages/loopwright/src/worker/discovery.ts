import { statSync } from "node:fs";
import { discoveryFile } from "@loopwright/protocol";
import type { Clock } from "../seams/clock.ts";
import { readJsonIfPresent } from "../store/read.ts";
import { sessionLayout } from "../store/session-layout.ts";

export interface Address {
  readonly url: string;
  readonly token: string;
}

/** Where the coordinator is. */
export interface Discovery {
  /** Read anew each time; undefined while it isn't known. */
  find(): Address | undefined;
  /** Waits `ms`, or less if another coordinator makes itself known meanwhile. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

export function fixedAddress(address: Address, clock: Clock): Discovery {
  return { find: () => address, wait: (ms, signal) => clock.sleep(ms, signal) };
}

const LOOK_MS = 20;

/** By the session's `coordinator.json`, which each coordinator writes anew. */
export function discoverySession(sessionDirectory: string, clock: Clock): Discovery {
  const path = sessionLayout(sessionDirectory).coordinator;
  let used = "";
  return {
    find() {
      used = fingerprint(path);
      try {
        const file = readJsonIfPresent(path, discoveryFile);
        return file === undefined ? undefined : { url: file.url, token: file.worker_token };
      } catch {
        // Not one that a coordinator wrote: the next one writes it again.
        return undefined;
      }
    },
    async wait(ms, signal) {
      const until = clock.monotonic() + ms;
      while (!signal.aborted && fingerprint(path) === used && clock.monotonic() < until) {
        await clock.sleep(Math.min(LOOK_MS, until - clock.monotonic()), signal);
      }
    },
  };
}

function fingerprint(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? "" : `${stats.ino}:${stats.mtimeMs}:${stats.size}`;
}
