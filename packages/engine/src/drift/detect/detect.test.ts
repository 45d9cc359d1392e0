import { type DriftFactWarning, driftFactWarning } from "@loopwright/protocol";
import { describe, expect, it } from "vitest";
import { branchSwitchedWarning } from "./branch-switched.ts";
import { checksTamperedWarning } from "./checks-tampered.ts";
import { portLeftOpenWarning } from "./port-left-open.ts";
import { proseWithoutTodoWarning } from "./prose-without-todo.ts";
import { staleLatestRunWarning } from "./stale-latest-run.ts";
import { stateEditedByHandWarning } from "./state-edited-by-hand.ts";
import { statusProcessMismatchWarning } from "./status-process-mismatch.ts";

function expectWarning(
  warning: DriftFactWarning | null,
  severity: DriftFactWarning["severity"],
): DriftFactWarning {
  expect(driftFactWarning.parse(warning)).toStrictEqual(warning);
  expect(warning?.reason).toMatch(/^[A-Za-z0-9][^\n]*[^.]\.$/);
  expect(warning?.severity).toBe(severity);
  return warning!;
}

const [OLD, NEW, OTHER] = ["a".repeat(64), "b".repeat(64), "c".repeat(64)];

describe("a stale latest run", () => {
  const latestRun = { run_id: "r1", generated_at: "2026-08-01T10:00:00.000Z", state_digest: OLD };

  it("is reported when the active state changed since, naming both", () => {
    const warning = expectWarning(
      staleLatestRunWarning({ latestRun, activeStateDigest: NEW, goalId: "shop" }),
      "watch",
    );
    expect(warning.recommended_action).toContain("loopwright refresh shop");
    expect(warning.evidence.map(({ source }) => source)).toEqual(["runs.jsonl", "ACTIVE_STATE.md"]);
  });

  it("is graver when the active state is gone", () => {
    expectWarning(staleLatestRunWarning({ latestRun, activeStateDigest: null }), "action");
  });

  it("isn't reported for the same state, nor before the first run", () => {
    expect(staleLatestRunWarning({ latestRun, activeStateDigest: OLD })).toBeNull();
    expect(staleLatestRunWarning({ latestRun: null, activeStateDigest: OLD })).toBeNull();
  });
});

describe("prose without a todo", () => {
  it("is only to know when the next action is an agent's", () => {
    expectWarning(
      proseWithoutTodoWarning({ nextAction: "Fix login", openTodos: { you: 1, agent: 0 } }),
      "info",
    );
  });

  it("is to be looked at when the next action waits and nothing is open for you", () => {
    const facts = { nextAction: "Wait for the review", openTodos: { you: 0, agent: 3 } };
    expectWarning(proseWithoutTodoWarning(facts), "watch");
  });

  it("isn't reported with a todo, or without a next action", () => {
    const openTodos = { you: 0, agent: 1 };
    expect(proseWithoutTodoWarning({ nextAction: "Fix login", openTodos })).toBeNull();
    for (const nextAction of [null, "", "- [ ]"]) {
      expect(proseWithoutTodoWarning({ nextAction, openTodos: { you: 0, agent: 0 } })).toBeNull();
    }
  });
});

describe("a status that processes contradict", () => {
  const running = { sessionId: "20260801T100000Z-0123456789ab", recorded: "running" } as const;
  const ended = { ...running, recorded: "ended" } as const;

  it("is reported for a running session whose coordinator is dead or was never recorded", () => {
    const dead = { role: "coordinator", pid: 7, liveness: "dead" } as const;
    const warning = expectWarning(
      statusProcessMismatchWarning({ ...running, processes: [dead] }),
      "action",
    );
    expect(warning.evidence).toContainEqual({
      source: "processes",
      says: "coordinator 7 is dead",
    });
    expectWarning(statusProcessMismatchWarning({ ...running, processes: [] }), "action");
  });

  it("doesn't call a coordinator dead that can't be seen from here", () => {
    const unknown = { role: "coordinator", pid: 7, liveness: "unknown" } as const;
    expectWarning(statusProcessMismatchWarning({ ...running, processes: [unknown] }), "info");
  });

  it("is reported for an ended session whose agent still runs, with the command that ends it", () => {
    const agent = { role: "agent", pid: 9, liveness: "alive" } as const;
    const warning = expectWarning(
      statusProcessMismatchWarning({ ...ended, processes: [agent] }),
      "action",
    );
    expect(warning.recommended_action).toContain("kill 9");
    const worker = { role: "worker", pid: 9, liveness: "alive" } as const;
    expectWarning(statusProcessMismatchWarning({ ...ended, processes: [worker] }), "watch");
  });

  it("isn't reported when they agree", () => {
    const alive = { role: "coordinator", pid: 7, liveness: "alive" } as const;
    const dead = { role: "agent", pid: 9, liveness: "dead" } as const;
    expect(statusProcessMismatchWarning({ ...running, processes: [alive, dead] })).toBeNull();
    expect(statusProcessMismatchWarning({ ...ended, processes: [dead] })).toBeNull();
  });
});

describe("a switched branch", () => {
  const left = { branch: "work", head: OLD.slice(0, 40), iteration: 3 };

  it("is graver while a session works there", () => {
    const now = { branch: "it's main", head: NEW.slice(0, 40) };
    expectWarning(branchSwitchedWarning({ left, now, live: true }), "action");
    const warning = expectWarning(branchSwitchedWarning({ left, now, live: false }), "watch");
    expect(warning.recommended_action).toContain("git switch work");
  });

  it("is reported between detached heads", () => {
    const detached = { branch: null, head: OLD.slice(0, 40), iteration: 3 };
    const now = { branch: null, head: NEW.slice(0, 40) };
    expectWarning(branchSwitchedWarning({ left: detached, now, live: false }), "watch");
    expect(branchSwitchedWarning({ left: detached, now: detached, live: false })).toBeNull();
  });

  it("isn't reported for new commits on the same branch, nor before the first iteration", () => {
    const now = { branch: "work", head: NEW.slice(0, 40) };
    expect(branchSwitchedWarning({ left, now, live: true })).toBeNull();
    expect(branchSwitchedWarning({ left: null, now, live: true })).toBeNull();
    expect(branchSwitchedWarning({ left, now: null, live: true })).toBeNull();
  });

  it("quotes a branch name that a shell would take apart", () => {
    const odd = { ...left, branch: "a'b; rm -rf" };
    const warning = branchSwitchedWarning({ left: odd, now: { ...left }, live: false });
    expect(warning?.recommended_action).toContain(`git switch 'a'\\''b; rm -rf'`);
  });
});

describe("a file edited by hand", () => {
  const file = "ACTIVE_STATE.md";
  const expectedDigests = [OLD, NEW];

  it("is only to know when nothing was lost by it", () => {
    expectWarning(stateEditedByHandWarning({ file, expectedDigests, actualDigest: OTHER }), "info");
  });

  it("needs you when a planned next action couldn't be written, or the file is gone", () => {
    const pendingMove = { iteration: 4, text: "Write tests" };
    const edit = { file, expectedDigests, actualDigest: OTHER, pendingMove, goalId: "shop" };
    const warning = expectWarning(stateEditedByHandWarning(edit), "action");
    expect(warning.recommended_action).toContain("loopwright resolve shop --take run");
    expectWarning(
      stateEditedByHandWarning({ file, expectedDigests, actualDigest: null }),
      "action",
    );
  });

  it("says of a derived file that the journal stands", () => {
    const facts = { file: "state.json", expectedDigests, actualDigest: OTHER, derived: true };
    const warning = expectWarning(stateEditedByHandWarning(facts), "watch");
    expect(warning.reason).toContain("the journal stands");
  });

  it("isn't reported before or after a recorded move, nor where nothing is recorded", () => {
    for (const actualDigest of expectedDigests) {
      expect(stateEditedByHandWarning({ file, expectedDigests, actualDigest })).toBeNull();
    }
    expect(stateEditedByHandWarning({ file, expectedDigests: [], actualDigest: OTHER })).toBeNull();
  });
});

describe("tampered checks", () => {
  it("are named, changed and missing ones, at most 40", () => {
    const changed = { path: "checks/a.yaml", pinned: OLD, actual: NEW };
    const missing = { path: "checks/b.yaml", pinned: OLD, actual: null };
    const untouched = { path: "checks/c.yaml", pinned: OLD, actual: OLD };
    const one = expectWarning(checksTamperedWarning({ files: [untouched, changed] }), "action");
    expect(one.reason).toContain("checks/a.yaml differs");
    const two = expectWarning(checksTamperedWarning({ files: [changed, missing] }), "action");
    expect(two.evidence.map(({ source }) => source)).toEqual(["checks/a.yaml", "checks/b.yaml"]);
    const many = Array.from({ length: 100 }, () => changed);
    expect(expectWarning(checksTamperedWarning({ files: many }), "action").evidence).toHaveLength(
      40,
    );
    expect(checksTamperedWarning({ files: [untouched] })).toBeNull();
  });
});

describe("a port left open", () => {
  it("is reported with its process and the command that frees it", () => {
    const held = [
      { port: 3001, pid: 44, command: "node server.js", iteration: 2 },
      { port: 3000, pid: 44, command: "node server.js", iteration: 2 },
    ];
    const warning = expectWarning(portLeftOpenWarning({ held }), "watch");
    expect(warning.reason).toContain("Ports 3000, 3001 are still held by a process");
    expect(warning.recommended_action).toMatch(/kill 44$/);
    expect(portLeftOpenWarning({ held: [] })).toBeNull();
  });
});
