import { readdirSync, readFileSync } from "node:fs";
import type { Room } from "./room.ts";

/** Ends what runs for the room and removes it; of a test that failed, tells first how things stood. */
export async function leaveRoom(
  room: Room,
  { result }: { readonly result?: { readonly state: string } | undefined },
): Promise<void> {
  if (result?.state === "fail") process.stderr.write(`${diagnosis(room)}\n`);
  await room.close();
}

/** What somebody needs who looks at a failure: the last records, what ran last, and what it said. */
export function diagnosis(room: Room): string {
  const session = room.session();
  const records =
    session
      ?.records()
      .slice(-12)
      .map(({ type, data }) => `${type} ${JSON.stringify(data).slice(0, 200)}`) ?? [];
  const programs = readdirSync(`${room.directory}/programs`)
    .filter((name) => name.endsWith(".err"))
    .slice(-6)
    .map(
      (name) =>
        `${name}: ${readFileSync(`${room.directory}/programs/${name}`, "utf8").slice(-600)}`,
    );
  const processes = room
    .processes()
    .map(({ pid, arguments: words }) => `${pid} ${words.slice(-3).join(" ")}`);
  return [session?.directory ?? "no session", ...records, ...programs, ...processes].join("\n");
}
