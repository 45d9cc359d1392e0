import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Liveness, WorkflowTask } from "@loopwright/protocol";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readSession } from "../control-plane/session/read-session.ts";
import type { Coordinator } from "./coordinator.ts";
import { createRoom, type Room } from "./testing/room.ts";
import { createScriptedWorker } from "./testing/scripted-worker.ts";

type Said = Partial<
  Pick<Coordinator, "url" | "workerToken" | "peopleToken" | "epoch" | "sessionId">
> & { refused?: string; lost?: string };

interface Running {
  readonly child: ChildProcess;
  tell(order: string): void;
  next(): Promise<Said>;
}

let room: Room;
const children: ChildProcess[] = [];
beforeEach(() => {
  room = createRoom();
});
afterEach(async () => {
  await Promise.all(children.splice(0).map(end));
  await room.close();
});

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

async function spawnCoordinator(): Promise<Running> {
  const program = fileURLToPath(new URL("testing/coordinator-process.ts", import.meta.url));
  const child = spawn(
    process.execPath,
    ["--conditions=loopwright-source", program, room.root, room.repository],
    { stdio: ["pipe", "pipe", "inherit"] },
  );
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const running = {
    child,
    tell: (order: string) => void child.stdin.write(`${order}\n`),
    next: async () => JSON.parse((await lines.next()).value as string) as Said,
  };
  await running.next();
  return running;
}

it("lets exactly one of two coordinators run that start together, 50 times", async () => {
  let order = "start";
  let both = await Promise.all([spawnCoordinator(), spawnCoordinator()]);
  for (let round = 1; round <= 50; round += 1) {
    for (const each of both) each.tell(order);
    const said = await Promise.all(both.map((each) => each.next()));
    expect(said.filter(({ refused }) => refused === "LOCK_HELD")).toHaveLength(1);
    const winner = said.findIndex(({ url }) => url !== undefined);
    expect(said[winner]?.epoch).toBe(round);
    order = `start ${said[winner]?.sessionId ?? ""}`;
    if (round % 10 === 0) {
      // Killed, not closed: the next two have to see for themselves that it is dead.
      await end(both[winner]!.child);
      both = [both[1 - winner]!, await spawnCoordinator()];
    } else {
      both[winner]!.tell("close");
      expect(await both[winner]!.next()).toEqual({ status: "running", stop_reason: null });
    }
  }
}, 120_000);

it("refuses a second goal on the same checkout", async () => {
  await room.start();
  const error = room.start({ goalId: "other" });
  await expect(error).rejects.toMatchObject({ code: "CHECKOUT_HELD" });
  await expect(error).rejects.toThrow(/goal "demo"/);
  // Nothing stays held by the refused one.
  await expect(room.start({ goalId: "other" })).rejects.toMatchObject({ code: "CHECKOUT_HELD" });
});

it("writes nothing that counts after a take-over, when it was stopped and wakes", async () => {
  const old = await spawnCoordinator();
  old.tell("start");
  const first = await old.next();
  const worker = createScriptedWorker(
    first as Coordinator,
    room.seams.processes.self(),
    room.repository,
  );
  const task = (await worker.task()) as WorkflowTask;
  old.child.kill("SIGSTOP");
  const stale = worker.finish(task).catch((error: unknown) => error);
  // Verifiably alive, so nobody takes over by itself; a person's decision, or another machine's, is the next epoch's file.
  await expect(
    room.start({ kind: "existing", sessionId: first.sessionId ?? "" }),
  ).rejects.toMatchObject({ code: "LOCK_HELD" });
  const liveness = ({ pid }: { pid: number }): Liveness =>
    pid === old.child.pid ? "dead" : "alive";
  const processes = { ...room.seams.processes, liveness };
  const next = await room.start(
    { kind: "existing", sessionId: first.sessionId ?? "" },
    { processes },
  );
  old.child.kill("SIGCONT");
  expect((await old.next()).lost).toBe("LOCK_LOST");
  expect(await stale).toBeInstanceOf(Error);

  expect(next.state()).toMatchObject({ iterations: 0, task: { attempt_id: task.attempt_id } });
  const again = createScriptedWorker(next, worker.identity, room.repository);
  expect((await again.finish(task)).body).toMatchObject({ iteration: 2 });
  const read = readSession(room.session(next.sessionId).directory);
  expect(read.ignored).toEqual([]);
  expect(read.state).toMatchObject({ iterations: 1, epoch: 2 });
});

it("answers nobody once a newer epoch's file exists, not even what it knows", async () => {
  const coordinator = await room.start();
  const worker = createScriptedWorker(coordinator, room.seams.processes.self(), room.repository);
  const task = (await worker.task()) as WorkflowTask;
  const { seq } = coordinator.state();
  writeFileSync(join(room.root, "goals", "demo", "locks", "coordinator.2"), "{}");
  await expect(worker.register()).rejects.toThrow();
  await expect(worker.finish(task)).rejects.toThrow();
  expect(await coordinator.ended).toMatchObject({ lost: true, error: { code: "LOCK_LOST" } });
  expect(coordinator.state().seq).toBe(seq);
});

it("notices by itself that somebody took over", async () => {
  const coordinator = await room.start();
  writeFileSync(join(room.root, "goals", "demo", "locks", "coordinator.2"), "{}");
  expect(await coordinator.ended).toMatchObject({ lost: true });
});
