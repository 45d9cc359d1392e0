import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemDisk } from "./disk.ts";
import { readJournal } from "./journal-reader.ts";
import { createSessionDirectory } from "./session-directory.ts";
import { listSessions } from "./session-lookup.ts";
import { createFaultyDisk } from "./testing/faulty-disk.ts";
import { temporaryDirectory } from "./testing/temporary-directory.ts";

const ID = "20250102T123005Z-0123456789ab";
const content = {
  goalText: "Mend it.\r\n\tExactly \u{1f331}  ",
  session: { schema_version: 1, session_id: ID },
  first: {
    at: "2025-01-02T12:30:05.000Z",
    epoch: 3,
    records: [{ type: "session_started", data: {} }],
  },
};

test("a new session holds the exact goal text, its identity and the journal's first line", () => {
  const sessions = join(temporaryDirectory(), "goal", "sessions");
  const session = createSessionDirectory(systemDisk, join(sessions, ID), content);
  expect(readFileSync(session.goal, "utf8")).toBe(content.goalText);
  expect(JSON.parse(readFileSync(session.session, "utf8"))).toEqual(content.session);
  expect(readJournal(session.journal).lines).toMatchObject([{ seq: 1, epoch: 3, prev: "" }]);
  expect(statSync(session.directory).mode & 0o777).toBe(0o700);
  expect(statSync(session.journal).mode & 0o777).toBe(0o600);
  expect(readdirSync(sessions)).toEqual([ID]);
});

test("a session that exists is not touched", () => {
  const sessions = temporaryDirectory();
  const session = createSessionDirectory(systemDisk, join(sessions, ID), content);
  const other = { ...content, goalText: "Something else" };
  expect(() => createSessionDirectory(systemDisk, session.directory, other)).toThrowError("exists");
  expect(readFileSync(session.goal, "utf8")).toBe(content.goalText);
});

test("whichever operation fails, the session is there as a whole or not at all", () => {
  const clean = createFaultyDisk(systemDisk, []);
  createSessionDirectory(clean, join(temporaryDirectory(), ID), content);
  for (let n = 1; n <= clean.operations.length; n += 1) {
    for (const after of [false, true]) {
      const sessions = temporaryDirectory();
      const what = { kind: "fail", code: "ENOSPC", after } as const;
      const disk = createFaultyDisk(systemDisk, [{ from: n, what }]);
      const create = (): unknown => createSessionDirectory(disk, join(sessions, ID), content);
      expect(create, `operation ${n}`).toThrowError(expect.objectContaining({ code: "DISK_FULL" }));
      const there = existsSync(join(sessions, ID));
      expect(listSessions(sessions)).toEqual(there ? [ID] : []);
      if (!there) create();
      expect(readJournal(join(sessions, ID, "journal.jsonl")).lines).toHaveLength(1);
    }
  }
});
