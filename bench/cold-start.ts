import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../scripts/run.ts";
import type { Measure, Row } from "./harness/measure.ts";
import { createRoom, type Room, STOPPED } from "./harness/room.ts";
import { median } from "./harness/statistics.ts";

const ROUNDS = 15;
const FIRST_ROUNDS = 5;

/** A whole process from its start to its end, all by turns. */
export const coldStart: Measure = {
  name: "cold-start",
  title: "Cold start",
  async run(product) {
    const room = await createRoom(product);
    await room.call(["run", "--max-iterations", "1"], [STOPPED]);
    const compiled = { NODE_COMPILE_CACHE: join(ROOT, ".cache/compile") };
    const ways = {
      node: () => duration(room, ["--eval", "0"]),
      version: () => duration(room, [...product.bundle, "--version"]),
      status: () => duration(room, [...product.bundle, "status"]),
      checkoutVersion: () => duration(room, [...product.checkout, "--version"], compiled),
      checkoutStatus: () => duration(room, [...product.checkout, "status"], compiled),
    };
    const found = new Map<string, number[]>(Object.keys(ways).map((way) => [way, []]));
    for (const way of Object.values(ways)) way();
    for (let round = 0; round < ROUNDS; round++)
      for (const [way, measure] of Object.entries(ways)) found.get(way)?.push(measure());
    const first = Array.from({ length: FIRST_ROUNDS }, () => {
      rmSync(join(room.directory, "home/.cache"), { recursive: true, force: true });
      return ways.status();
    });

    const of = (way: keyof typeof ways): number => median(found.get(way) ?? []);
    const peer = { name: "bare Node", value: of("node") };
    const row = (what: string, value: number, aim?: string): Row => ({
      what,
      value,
      unit: "ms",
      peer,
      ...(aim === undefined ? {} : { aim }),
    });
    return [
      row("--version", of("version"), "< 100 ms"),
      row("status", of("status"), "< 150 ms"),
      row("status, nothing compiled yet", median(first)),
      row("checkout: --version", of("checkoutVersion"), "< 100 ms"),
      row("checkout: status", of("checkoutStatus"), "< 150 ms"),
    ];
  },
};

/** Milliseconds. */
export function duration(
  room: Room,
  words: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): number {
  const started = performance.now();
  const { status } = spawnSync(process.execPath, words, {
    cwd: room.repository,
    env: { ...room.environment, ...environment },
    stdio: "ignore",
  });
  if (status !== 0) throw new Error(`node ${words.join(" ")} ended with ${status}`);
  return performance.now() - started;
}
