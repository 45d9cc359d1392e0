import { existsSync } from "node:fs";
import { expect } from "vitest";
import { diagnosis } from "./diagnosis.ts";
import { judge, type OracleOptions } from "./oracle.ts";
import { listProcesses } from "./process-table.ts";
import type { Program } from "./program.ts";
import type { Room } from "./room.ts";
import type { Session } from "./session.ts";
import { until } from "./wait.ts";

/** The session there is; a test that calls this has started one. */
export function sessionOf(room: Room): Session {
  const session = room.session();
  if (session === undefined) throw new Error("there is no session");
  return session;
}

/**
 * Lets the agent reach the goal, sees the loop to its end, and checks everything that must hold then. `run` goes on with
 * whatever is there, as a user would after a crash; where coordinator and worker live, they need nobody.
 */
export async function expectGoodEnd(
  room: Room,
  options: OracleOptions & { run?: Program } = {},
): Promise<void> {
  const alone = room.withRole("coordinator").length === 1 && room.withRole("worker").length === 1;
  const run = options.run ?? (alone ? undefined : room.start(["run"]));
  // Otherwise the session might be over before `run` looks at it.
  if (run !== undefined)
    await until("run to say something", () => run.ended() || run.stdout() !== "");
  room.set("finish", true);
  room.set("hold", false);
  if (run === undefined) {
    await until("the goal to be met", () => room.session()?.records("session_stopped")[0], 120_000);
  } else {
    await until("run to end", () => run.ended(), 120_000).catch(() => undefined);
    expect(
      { code: run.ended() ? await run.exited : "still running", stderr: run.stderr() },
      diagnosis(room),
    ).toMatchObject({ code: 0 });
  }
  await expectInvariants(room, options);
}

/** Everything that must hold once the goal is met. */
export async function expectInvariants(room: Room, options: OracleOptions = {}): Promise<void> {
  await expectSettled(room, options);
  expect(await room.call(["verify"])).toMatchObject({ code: 0 });
}

/** All of that but the product's own `verify`. */
export async function expectSettled(room: Room, options: OracleOptions = {}): Promise<void> {
  const session = sessionOf(room);
  await expectNothingLeft(room, session);
  expect(judge(room, session, options), diagnosis(room)).toEqual([]);
  expect(session.records().at(-1)?.data).toMatchObject({ status: "goal_met", verified: true });
  expect(session.json("state.json")).toMatchObject({ status: "goal_met" });
  expect(existsSync(session.path("REPORT.md"))).toBe(true);
}

/** No process of the room, and none that carries the marker of one of its attempts. */
export async function expectNothingLeft(room: Room, session: Session): Promise<void> {
  const markers = new Set(
    session
      .records()
      .flatMap(({ data }) => (typeof data["attempt_id"] === "string" ? [data["attempt_id"]] : [])),
  );
  const strays = (): string[] => [
    ...room.processes().map(({ pid, arguments: words }) => `${pid} ${words.join(" ")}`),
    ...listProcesses()
      .filter(({ environment }) =>
        markers.has(/(?:^|\0)LOOPWRIGHT_ATTEMPT=([^\0]*)/.exec(environment)?.[1] ?? ""),
      )
      .map(({ pid, arguments: words }) => `${pid} ${words.join(" ")}`),
  ];
  // A spare shim ends by itself once its worker is gone.
  await until("all processes to be gone", () => strays().length === 0, 10_000).catch(
    () => undefined,
  );
  expect(strays()).toEqual([]);
}
