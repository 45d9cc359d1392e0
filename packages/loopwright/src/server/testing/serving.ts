import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeOffline, type OfflineRequest } from "../../coordinator/offline-writes.ts";
import { createRoom, GOAL, type Room, VERSION } from "../../coordinator/testing/room.ts";
import { send, type PostOptions, type Reply } from "../../coordinator/testing/scripted-worker.ts";
import type { RunningServer } from "../../read-api/http/listen.ts";
import { startStatusServer } from "../server.ts";

export const TOKEN = "people-token-of-this-test";
export const READ_TOKEN = "reading-token-of-this-test";

/** A room with a status server over its runtime root, whose registry lists these goals. */
export interface Serving {
  readonly room: Room;
  readonly server: RunningServer;
  readonly registryPath: string;
  readonly problems: unknown[];
  get(path: string, options?: PostOptions): Promise<Reply>;
  post(path: string, body: unknown, options?: PostOptions): Promise<Reply>;
  close(): Promise<void>;
}

export async function startServing(goals: readonly string[] = [GOAL]): Promise<Serving> {
  const room = createRoom();
  const registryPath = join(room.root, "..", "registry.json");
  const listed = goals.map((id) => ({ id, repo: room.repository, title: `Goal ${id}` }));
  writeFileSync(registryPath, JSON.stringify({ schema_version: 1, goals: listed }));
  const problems: unknown[] = [];
  const { seams, root: runtimeRoot } = room;
  const server = await startStatusServer({
    seams,
    registryPath,
    runtimeRoot,
    home: join(room.root, ".."),
    version: VERSION,
    host: "127.0.0.1",
    port: 0,
    tokens: { people: TOKEN, read: READ_TOKEN },
    offline: (goalId, sessionId, write) =>
      writeOffline(
        { seams, runtimeRoot, goalId, sessionId, version: VERSION },
        write as OfflineRequest,
      ),
    startRun: () => Promise.resolve({ started: false, problem: "nothing is started here" }),
    runCheck: () => Promise.reject(new Error("nothing is checked here")),
    onProblem: (error) => problems.push(error),
  });
  const url = (path: string): string => server.url + path;
  return {
    room,
    server,
    registryPath,
    problems,
    get: (path, options = {}) =>
      send(url(path), { token: TOKEN, method: "GET", body: undefined, ...options }),
    post: (path, body, options = {}) => send(url(path), { token: TOKEN, body, ...options }),
    async close() {
      server.refuseAll();
      await server.close();
      await room.close();
      if (problems.length > 0) throw new AggregateError(problems, "The server met problems");
    },
  };
}
