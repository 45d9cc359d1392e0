import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  childSessionId,
  compareSessionIds,
  goalHash,
  sessionIdFor,
  sessionIdParts,
} from "./session-id.ts";
import { listSessions, resolveSession } from "./session-lookup.ts";
import { temporaryDirectory } from "./testing/temporary-directory.ts";

const NOON = Date.UTC(2025, 0, 2, 12, 30, 5, 678);
const FIRST = `20250102T123005Z-${goalHash("Mend it").slice(0, 12)}`;

test("an id says when the session began and of which goal text it is", () => {
  expect(sessionIdFor("Mend it", NOON, () => false)).toBe(FIRST);
  expect(sessionIdFor("Mend it\n", NOON, () => false)).not.toBe(FIRST);
});

test("ids of the same second and goal text are numbered", () => {
  const taken = new Set<string>();
  const ids = Array.from({ length: 12 }, () => {
    const id = sessionIdFor("Mend it", NOON, (each) => taken.has(each));
    taken.add(id);
    return id;
  });
  expect(ids.slice(0, 3)).toEqual([FIRST, `${FIRST}-2`, `${FIRST}-3`]);
  expect(ids.toReversed().sort(compareSessionIds)).toEqual(ids);
});

test("a child's id says in which session it lies", () => {
  const child = childSessionId(`${FIRST}-2`, 1);
  const grandchild = childSessionId(child, 12);
  expect(sessionIdParts(grandchild)).toEqual({
    root: `${FIRST}-2`,
    children: [`${FIRST}-2-c01`, `${FIRST}-2-c01-c12`],
  });
});

test.each([
  "",
  "latest",
  "../x",
  `${FIRST}/..`,
  `${FIRST}-`,
  `${FIRST}-01`,
  `${FIRST}\0`,
  "x".repeat(300),
])("%j is not a session id", (id) => {
  expect(() => sessionIdParts(id)).toThrowError(
    expect.objectContaining({ code: "SESSION_NOT_FOUND" }),
  );
});

test("a query is a full id, a unique prefix or latest", () => {
  const sessions = temporaryDirectory();
  const ids = [FIRST, `${FIRST}-2`, `${FIRST}-10`, "20250103T000000Z-0123456789ab"];
  for (const id of [...ids, ".creating-1", "20260101"]) mkdirSync(join(sessions, id));
  const child = childSessionId(FIRST, 1);
  mkdirSync(join(sessions, FIRST, "children", child), { recursive: true });

  expect(listSessions(sessions)).toEqual(ids);
  expect(resolveSession(sessions, "latest")).toBe(ids[3]);
  expect(resolveSession(sessions, "20250103")).toBe(ids[3]);
  expect(resolveSession(sessions, FIRST)).toBe(FIRST);
  expect(resolveSession(sessions, `${FIRST}-1`)).toBe(ids[2]);
  expect(resolveSession(sessions, child)).toBe(child);
  const error = (code: string): unknown => expect.objectContaining({ code });
  expect(() => resolveSession(sessions, "2025")).toThrowError(error("SESSION_AMBIGUOUS"));
  for (const query of ["", "2026", "../", childSessionId(FIRST, 2)]) {
    expect(() => resolveSession(sessions, query)).toThrowError(error("SESSION_NOT_FOUND"));
  }
});

test("where no session is, none is found", () => {
  const sessions = join(temporaryDirectory(), "sessions");
  expect(listSessions(sessions)).toEqual([]);
  expect(() => resolveSession(sessions, "latest")).toThrowError(
    expect.objectContaining({
      message: expect.stringContaining("There is no session"),
      hint: "Begin one with: loopwright run",
    }),
  );
});
