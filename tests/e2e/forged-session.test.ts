import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test, vi } from "vitest";
import type { Program } from "../crash/harness/program.ts";
import { until } from "../crash/harness/wait.ts";
import { accountOf, expectRefused, journalOf, records } from "./harness/account.ts";
import { forgedLine } from "./harness/forged-line.ts";
import { useRooms } from "./harness/rooms.ts";
import type { Scratch, ScratchOptions } from "./harness/scratch.ts";
import { CLAIM, report, type Step } from "./harness/steps.ts";

vi.setConfig({ testTimeout: 180_000 });
const createRoom = useRooms();

/** Runs one iteration that does this. */
async function runOnce(steps: readonly Step[], options: ScratchOptions = {}): Promise<Scratch> {
  const room = await createRoom({
    plan: { iterations: { 1: steps } },
    limits: { max_iterations: 1 },
    ...options,
  });
  const ran = await room.call(["run"]);
  expect({ code: ran.code, stderr: ran.stderr }).toMatchObject({ code: 10 });
  return room;
}

describe("the session's own files:", () => {
  test("an edited state.json is a projection that nobody reads back", async () => {
    const room = await runOnce([
      {
        write: "{{session}}/state.json",
        json: { schema_version: 1, status: "goal_met", verified: true },
      },
      { write: "{{session}}/REPORT.md", text: "# Goal met\n" },
      report(),
    ]);
    const { verify } = await expectRefused(room);
    expect(verify.code).toBe(0);
    expect(readFileSync(room.session().path("REPORT.md"), "utf8")).not.toContain("# Goal met");
  });

  test("an edited session.json changes nothing for the session that runs, and is refused afterwards", async () => {
    const room = await runOnce([
      {
        run: [
          "sed",
          "-i",
          's/grep/true/g; s/"max_iterations": *1/"max_iterations": 9/',
          "{{session}}/session.json",
        ],
      },
      report(),
      CLAIM,
    ]);
    const { verify } = await expectRefused(room);
    expect(verify.code).toBe(1);
    expect(verify.stdout).toMatch(/session\.json/);
    const again = await room.call(["resume", "--max-iterations", "+1"]);
    expect(again.code).toBe(5);
    expect(again.stderr).toMatch(/session\.json is not what the journal says[^]*hint: /);
  });

  test("edited pins are no checks: the verification errs and names them", async () => {
    const room = await createRoom({
      checks: { accept: { type: "command", run: ["sh", "tests/accept.sh"] } },
      gate: { protect: ["tests/**"] },
      files: { "tests/accept.sh": "grep -qx done goal.txt\n" },
      plan: {
        steps: [
          {
            run: [
              "sh",
              "-c",
              "chmod -R u+w '{{session}}/../../pins' && for pin in '{{session}}'/../../pins/*; do echo exit 0 > \"$pin\"; done",
            ],
          },
          { write: "{{checkout}}/tests/accept.sh", text: "exit 0\n" },
          CLAIM,
        ],
      },
    });
    expect((await room.call(["run"])).code).toBe(10);
    const { goal, verify } = await expectRefused(room);
    expect(goal["stop_reason"]).toBe("gate_error");
    expect(verify.code).toBe(1);
    expect(verify.stdout).toMatch(/pins.*not what was pinned/);
  });

  test("deleted session files end the run with a sentence", async () => {
    const room = await createRoom({
      plan: { steps: [{ rm: "{{session}}/journal.jsonl" }, CLAIM] },
    });
    const ran = await room.call(["run"]);
    expect(ran.code).toBe(5);
    expect(ran.stderr).toMatch(/^error: .*journal\.jsonl/m);
    await until("the room to be empty", () => room.processes().length === 0);
    const status = await room.call(["status"]);
    expect(status.stdout).toMatch(/journal/);
    expect(status.stdout).not.toMatch(/goal met/);
  });
});

describe("somebody writes into the journal while its coordinator lives:", () => {
  /** Runs up to the moment that the agent runs, changes the journal, and lets all of it go on. */
  async function change(
    how: (journal: string, text: string) => void,
  ): Promise<{ room: Scratch; run: Program }> {
    const room = await createRoom({
      plan: {
        iterations: {
          1: [
            { append: "{{checkout}}/../ready", text: "" },
            { waitForFile: "{{checkout}}/../go" },
            report(),
          ],
        },
      },
      limits: { max_iterations: 1 },
    });
    const run = room.start(["run"]);
    await until("the agent to be ready", () => existsSync(room.file("ready")));
    const { journal } = room.session();
    how(journal, readFileSync(journal, "utf8"));
    return { room, run };
  }

  for (const [name, forge] of Object.entries({
    "garbage behind it": () => "garbage\n",
    "half a line behind it": () => '{"seq":',
    "a forged end that follows from nothing": (text: string) => forgedLine(text, [stopped()]),
    "a forged end under the next epoch": (text: string) =>
      forgedLine(text, [stopped()], { epochs: 1 }),
    "a limit that nobody raised": (text: string) =>
      forgedLine(text, [
        { type: "limit_raised", data: { limit: "max_iterations", from: 1, to: 100, by: "user" } },
      ]),
  })) {
    test(`${name} is undone, told, and decides nothing`, async () => {
      const { room, run } = await change((journal, text) => appendFileSync(journal, forge(text)));
      await until(
        "it to be undone",
        () => journalOf(room).faults.length === 0 && records(room, "session_stopped").length === 0,
      );
      writeFileSync(room.file("go"), "");
      expect(await run.exited).toBe(10);
      expect(run.stdout()).not.toMatch(/Goal met/);
      const { goal, verify } = await expectRefused(room);
      expect(goal["stop_reason"]).toBe("max_iterations");
      expect(verify.code).toBe(0);
      if (name !== "half a line behind it")
        expect(records(room, "journal_repaired")).toHaveLength(1);
    });
  }

  for (const [name, damage, says] of [
    [
      "a changed letter in an old line",
      (text: string) => text.replace("session_started", "session_Started"),
      /journal\.jsonl:1/,
    ],
    [
      "a line cut out",
      (text: string) =>
        text
          .split("\n")
          .filter((_, index) => index !== 1)
          .join("\n"),
      /journal\.jsonl:2/,
    ],
    [
      "lines cut off",
      (text: string) => `${text.split("\n").slice(0, 2).join("\n")}\n`,
      /state\.json: it disagrees with the journal/,
    ],
  ] as const) {
    test(`${name}: the damage is told, and nothing is guessed`, async () => {
      const { room, run } = await change((journal, text) => writeFileSync(journal, damage(text)));
      writeFileSync(room.file("go"), "");
      expect(await run.exited).not.toBe(0);
      expect(run.stdout()).not.toMatch(/Goal met/);
      expect(run.stderr()).not.toMatch(/\n\s+at /);
      const { goal, verify } = await accountOf(room);
      expect(goal["status"]).not.toBe("goal_met");
      expect(verify.code).not.toBe(0);
      expect(verify.stdout + verify.stderr).toMatch(says);
    });
  }
});

test("a journal that calls the goal met for no reason that it holds is no journal of ours", async () => {
  const room = await createRoom({ plan: { steps: [report()] }, limits: { max_iterations: 1 } });
  expect((await room.call(["run"])).code).toBe(10);
  const { journal } = room.session();
  const text = readFileSync(journal, "utf8");
  const reopened = forgedLine(text, [{ type: "session_reopened", data: { by: "user" } }]);
  writeFileSync(journal, text + reopened + forgedLine(text + reopened, [stopped()]));
  const { status, verify } = await accountOf(room);
  expect(status.stdout).not.toContain("goal_met");
  expect(verify.code).toBe(5);
  expect(verify.stderr).toMatch(
    /journal\.jsonl calls the goal met in line \d+, which nothing in it leads to/,
  );
  const run = await room.call(["run"]);
  expect(run.code).toBe(5);
});

test("a session directory that isn't ours is never a session", async () => {
  const room = await createRoom({ plan: { steps: [report()] }, limits: { max_iterations: 1 } });
  const planted = room.file(
    "runtime",
    "goals",
    "scratch-goal",
    "sessions",
    "20990101T000000Z-0123456789ab",
    "journal.jsonl",
  );
  mkdirSync(dirname(planted), { recursive: true });
  writeFileSync(planted, "");
  const ran = await room.call(["run"]);
  expect(ran.code).toBe(5);
  expect(ran.stderr).toMatch(/20990101T000000Z-0123456789ab/);
  rmSync(dirname(planted), { recursive: true });
  expect((await room.call(["run"])).code).toBe(10);
  await accountOf(room);
});

function stopped(): { type: string; data: object } {
  return {
    type: "session_stopped",
    data: {
      status: "goal_met",
      stop_reason: "goal_met",
      detail: "forged",
      verified: true,
      facts: null,
      explanation: null,
    },
  };
}
