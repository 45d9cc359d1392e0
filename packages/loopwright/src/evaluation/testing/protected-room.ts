import { chmodSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Pins, Replaced } from "@loopwright/protocol";
import { expect } from "vitest";
import { restoreProtected, type RestoreRequest } from "../restore.ts";
import { CHECKS, createGateRoom, type GateRoom } from "./gate-room.ts";

/** A repository with pinned files: two tests, a program and a check. */
export interface ProtectedRoom {
  readonly gate: GateRoom;
  readonly pins: Pins;
  /** After the protected files were changed on purpose. */
  pinAgain(): void;
  at(path: string): string;
  /** Below the directory that holds `replaced`. */
  aside(path: string): string;
  restore(changes?: Partial<RestoreRequest>): Replaced[];
  /** Everything is as it was, and another call finds nothing to do. */
  expectRestored(): void;
}

export function createProtectedRoom(): ProtectedRoom {
  const gate = createGateRoom(["tests/**", "run.sh"]);
  const { at, room, root, write } = gate.scratch;
  write("tests/a.test.js", "assert(true)\n");
  write("tests/deep/b.test.js", "assert(1)\n");
  write("run.sh", "#!/bin/sh\nexit 1\n");
  chmodSync(at("run.sh"), 0o755);
  gate.check("unit", "id: unit\ntype: command\nrun: [./run.sh]\n");
  gate.scratch.commit();
  let pins = gate.pin();
  const restore = (changes: Partial<RestoreRequest> = {}): Replaced[] =>
    restoreProtected({
      checkout: root,
      pins,
      protect: gate.protect,
      checksDirectory: CHECKS,
      store: gate.store,
      asideDirectory: join(room, "replaced"),
      ...changes,
    });
  return {
    gate,
    get pins() {
      return pins;
    },
    pinAgain: () => {
      pins = gate.pin();
    },
    at,
    aside: (path) => join(room, path),
    restore,
    expectRestored: () => {
      expect(gate.read("tests/a.test.js")).toBe("assert(true)\n");
      expect(gate.read("tests/deep/b.test.js")).toBe("assert(1)\n");
      expect(gate.read("run.sh")).toBe("#!/bin/sh\nexit 1\n");
      expect(statSync(at("run.sh")).mode & 0o777).toBe(0o755);
      expect(filesBelow(at("tests"))).toEqual(["a.test.js", "b.test.js"]);
      expect(readdirSync(at(CHECKS))).toEqual(["unit.yaml"]);
      expect(restore()).toEqual([]);
    },
  };
}

/** Empty directories aren't protected: they hold nothing that could be run. */
function filesBelow(directory: string): string[] {
  const entries = readdirSync(directory, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}
