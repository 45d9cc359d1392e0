import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Pins, Receipt } from "@loopwright/protocol";
import { takeSnapshot } from "../../git/index.ts";
import {
  createScratchRepository,
  type ScratchRepository,
} from "../../git/testing/scratch-repository.ts";
import { createLauncher, type Launcher } from "../../process/launcher.ts";
import { createProcesses, type Processes } from "../../process/processes.ts";
import { systemClock } from "../../seams/clock.ts";
import { systemIds } from "../../seams/ids.ts";
import { systemDisk } from "../../store/index.ts";
import { createPinStore, type PinStore } from "../pin-store.ts";
import { pinChecksAndProtected } from "../pins.ts";
import { runVerification, type VerificationEnd } from "../run-verification.ts";

/** A repository with checks, and everything that verifies it for real. */
export interface GateRoom {
  readonly scratch: ScratchRepository;
  readonly store: PinStore;
  readonly processes: Processes;
  readonly protect: string[];
  check(name: string, yaml: string): void;
  pin(): Pins;
  /** One more verification, in a directory of its own. */
  verify(pins: Pins, options?: VerifyOptions): Promise<VerificationEnd>;
  /** The same, which must end with a receipt. */
  receipt(pins: Pins, options?: VerifyOptions): Promise<Receipt>;
  /** Directory of the n-th verification, from 1. */
  directory(n: number): string;
  read(path: string): string;
  close(): void;
}

export interface VerifyOptions {
  readonly reuse?: { directory: string; receipt: Receipt }[];
  readonly signal?: AbortSignal;
  readonly attemptId?: string;
}

export const CHECKS = ".loopwright/checks";

export function createGateRoom(protect: string[] = ["tests/**"]): GateRoom {
  const scratch = createScratchRepository();
  const store = createPinStore(systemDisk, join(scratch.room, "goal", "pins"));
  const processes = createProcesses();
  const launcher: Launcher = createLauncher({ processes });
  let count = 0;
  const directory = (n: number): string =>
    join(scratch.room, "session", "evaluations", `0001-${n}`);

  const verify = (pins: Pins, options: VerifyOptions = {}): Promise<VerificationEnd> => {
    count += 1;
    return runVerification(
      {
        checkout: scratch.root,
        pins,
        protect,
        checksDirectory: CHECKS,
        sessionId: "20260101T000000Z-0123456789ab",
        attemptId: options.attemptId ?? systemIds.next(),
        kind: "claim",
        directory: directory(count),
        reuse: options.reuse ?? [],
        environment: process.env,
        signal: options.signal ?? new AbortController().signal,
      },
      {
        disk: systemDisk,
        store,
        processes,
        launcher,
        clock: systemClock,
        snapshot: () => takeSnapshot(scratch.root, scratch),
      },
    );
  };

  return {
    scratch,
    store,
    processes,
    protect,
    check: (name, yaml) => {
      const path = scratch.at(`${CHECKS}/${name}.yaml`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, yaml);
    },
    pin: () =>
      pinChecksAndProtected({ checkout: scratch.root, checksDirectory: CHECKS, protect, store }),
    verify,
    receipt: async (pins, options) => {
      const end = await verify(pins, options);
      if (end.kind !== "receipt") throw new Error(JSON.stringify(end));
      return end.receipt;
    },
    directory,
    read: (path) => readFileSync(scratch.at(path), "utf8"),
    close: () => {
      launcher.close();
      scratch.close();
    },
  };
}
