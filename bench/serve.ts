import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import {
  ask,
  type Latencies,
  percentile,
  pollAll,
  type Served,
  stalledStream,
} from "./harness/http-load.ts";
import { startBareServer } from "./harness/bare-server.ts";
import { continueJournal } from "./harness/journal-writer.ts";
import { makeManyGoals, type ManyGoals } from "./harness/many-goals.ts";
import type { Measure, Row } from "./harness/measure.ts";
import { createRoom } from "./harness/room.ts";

const GOALS = 1_000;
const CLIENTS = 50;
const CHANGES_A_SECOND = 20;
const CHANGING = 100;
const SECONDS = 15;
const SLOW = 10;

/** Fifty pages that ask twice a second, over a thousand goals of ten runs each. */
export const serve: Measure = {
  name: "serve",
  title: "The status server",
  async run(product) {
    const room = await createRoom(product);
    const many = await makeManyGoals(room, GOALS);
    many.list(GOALS);
    const child = room.start(["serve", "--port", "0", "--json"], product.bundle, "pipe");
    try {
      const started = performance.now();
      const [said] = (await once(child.stdout ?? process.stdin, "data")) as [Buffer];
      const served = JSON.parse(said.toString()) as Served;
      const status = await ask(served, "/status");
      const first = performance.now() - started;
      const bare = await startBareServer(status, await ask(served, `/goals/${many.ids[0]}`));
      const load = (from: Served = served): Promise<Latencies> =>
        pollAll(from, { clients: CLIENTS, seconds: SECONDS, paths: () => pathsOf(many) });
      await load();
      const peer = await load(bare);
      bare.stop();
      const idle = await load();
      const change = startChanging(many);
      const changing = await load();
      const slow = Array.from({ length: SLOW }, () => stalledStream(served));
      const beside = await load();
      for (const end of slow) end();
      change.stop();
      return [
        { what: "started, and the first status", value: first, unit: "ms" },
        { what: "status, a goal", value: status.length / GOALS, unit: "bytes", aim: "<= 500" },
        ...rows("idle", idle, peer),
        ...rows(`${CHANGES_A_SECOND} goals change a second`, changing, peer),
        ...besideRows(beside, changing),
        { what: "resident memory", value: residentOf(child.pid ?? 0), unit: "MB", aim: "< 150 MB" },
      ];
    } finally {
      child.kill();
    }
  },
};

function pathsOf({ ids }: ManyGoals): [string, string][] {
  const id = ids[Math.floor(Math.random() * ids.length)] ?? "";
  return [
    ["/status", "/status"],
    ["/goals/:id", `/goals/${id}`],
  ];
}

function rows(when: string, latencies: Latencies, peers: Latencies): Row[] {
  return [...latencies].flatMap(([path, times]) =>
    [0.5, 0.95].map((share): Row => {
      const peer = { name: "bare Node", value: percentile(peers.get(path) ?? [], share) };
      const aim = share === 0.95 ? { aim: "< 20 ms" } : {};
      const what = `${path}, ${when}, p${share * 100}`;
      return { what, value: percentile(times, share), unit: "ms", ...aim, peer };
    }),
  );
}

function besideRows(beside: Latencies, without: Latencies): Row[] {
  return [...beside].map(([path, times]) => ({
    what: `${path}, beside ${SLOW} stalled streams, p95`,
    value: percentile(times, 0.95),
    unit: "ms" as const,
    aim: "<= 1.5 ×",
    peer: { name: "without them", value: percentile(without.get(path) ?? [], 0.95) },
  }));
}

/** Journals something by turns in each of a hundred goals, which are open from the beginning, as coordinators would. */
function startChanging({ runtimeRoot, ids }: ManyGoals): { stop(): void } {
  const raise = [{ limit: "max_iterations", to: 1_000 } as const];
  const writers = ids.slice(0, CHANGING).map((id) => {
    const write = continueJournal(sessionOf(runtimeRoot, id));
    write({ kind: "resume", by: "bench", raise, reopen: true });
    return write;
  });
  let at = 0;
  const timer = setInterval(() => {
    const pauses = Math.floor(at / writers.length) % 2 === 0;
    const pause = { reason: "user", detail: "for a while", by: "bench" } as const;
    writers[at++ % writers.length]?.(
      pauses ? { kind: "pause", pause } : { kind: "resume", by: "bench", raise: [], reopen: false },
    );
  }, 1000 / CHANGES_A_SECOND);
  return { stop: () => clearInterval(timer) };
}

function sessionOf(runtimeRoot: string, id: string): string {
  const sessions = join(runtimeRoot, "goals", id, "sessions");
  return join(sessions, readdirSync(sessions)[0] ?? "");
}

function residentOf(pid: number): number {
  const said = execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" });
  return (Number(said) * 1024) / 1e6;
}
