import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { hash } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { State } from "@loopwright/engine";
import type { JournalLine, JournalRecord, SessionFile } from "@loopwright/protocol";
import { afterAll, expect, it } from "vitest";
import type { ProcessInfo } from "../../process/processes.ts";
import { sessionDrift, type SessionDriftFacts } from "./session-drift.ts";

const repository = mkdtempSync(join(tmpdir(), "loopwright-drift-"));
afterAll(() => rmSync(repository, { recursive: true }));
mkdirSync(join(repository, "checks"));

const BYTES = Buffer.from([0xff, 0xfe, 0x00]);
const attempt = "0".repeat(26);

interface Scene {
  readonly state?: Partial<State>;
  readonly records?: readonly object[];
  readonly pins?: readonly string[];
  readonly coordinator?: SessionDriftFacts["coordinator"];
  readonly stateDigest?: string | null;
  readonly marked?: readonly { pid: number; command: string }[];
  readonly listening?: readonly { pid: number; port: number }[];
}

function drift(scene: Scene): string[] {
  const records = (scene.records ?? []) as JournalRecord[];
  const files = (scene.pins ?? []).map((path) => ({ path, sha256: hash("sha256", BYTES) }));
  return sessionDrift({
    goalId: "shop",
    session: {
      session: { repository, pins: { checks: [], files, links: [] } } as unknown as SessionFile,
      lines: [{ records } as unknown as JournalLine],
      state: { session_id: "s", status: "running", paused: null, ...scene.state } as State,
    },
    coordinator: scene.coordinator ?? { liveness: "alive", pid: 7 },
    stateDigest: scene.stateDigest ?? null,
    processes: {
      marked: () => (scene.marked ?? []) as unknown as ProcessInfo[],
      listening: () => [...(scene.listening ?? [])],
      info: (pid) =>
        (scene.marked ?? []).find((each) => each.pid === pid) as unknown as ProcessInfo,
    },
  }).map(({ kind, severity }) => `${kind} ${severity}`);
}

it("says nothing of a session that is as its records say", () => {
  writeFileSync(join(repository, "checks", "a.bin"), BYTES);
  expect(drift({ pins: ["checks/a.bin"] })).toEqual([]);
  expect(drift({ state: { status: "stopped" }, coordinator: { liveness: "none" } })).toEqual([]);
});

it("tells a running session whose coordinator is gone, unless it is paused", () => {
  const gone = { coordinator: { liveness: "none" } } as const;
  expect(drift(gone)).toEqual(["status_process_mismatch action"]);
  expect(drift({ coordinator: { liveness: "dead", pid: 7 } })).toEqual([
    "status_process_mismatch action",
  ]);
  const paused = { reason: "user", detail: "", at: "" } as const;
  expect(drift({ ...gone, state: { paused } })).toEqual([]);
});

it("tells an agent that outlived its session, and the port that it holds", () => {
  const marked = [{ pid: 44, command: "node server.js" }];
  const leftovers = [{ pid: 44, command: "node server.js", ports: [3000], ended: false }];
  const records = [
    { type: "task_assigned", data: { attempt_id: attempt } },
    { type: "task_finished", data: { iteration: 1, leftovers } },
  ];
  const held = [{ pid: 44, port: 3000 }];
  const scene: Scene = { state: { status: "stopped" }, records, marked, listening: held };
  expect(drift(scene)).toEqual(["status_process_mismatch action", "port_left_open watch"]);
  // The number is another process's by now.
  const other = [{ pid: 44, command: "postgres" }];
  expect(drift({ ...scene, state: {}, marked: other })).toEqual([]);
  expect(drift({ ...scene, state: {}, listening: [] })).toEqual([]);
});

it("tells pinned files that were changed, removed or replaced by a link", () => {
  writeFileSync(join(repository, "changed"), "other");
  symlinkSync(join(repository, "checks", "a.bin"), join(repository, "link"));
  for (const path of ["changed", "missing", "link", "checks"])
    expect(drift({ pins: [path] })).toEqual(["checks_tampered action"]);
});

it("tells, only to know, that the state isn't as the loop left it", () => {
  const data = { to_sha256: "a".repeat(64), from_sha256: null, text: "Go", iteration: 1 };
  const records = [{ type: "next_action_moved", data }];
  expect(drift({ records, stateDigest: "b".repeat(64) })).toEqual(["state_edited_by_hand info"]);
  expect(drift({ records, stateDigest: "a".repeat(64) })).toEqual([]);
});
