/**
 * A coordinator as a process of its own: `<runtime root> <repository>`. Starts when a line with a session id (or an empty
 * one) comes in, so that several start at the same moment. Prints one JSON line when it serves, or the code of what
 * refused it. Ends with its session.
 */
import { once } from "node:events";
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { LoopwrightError } from "@loopwright/protocol";
import { createProcesses } from "../../process/processes.ts";
import { systemClock } from "../../seams/clock.ts";
import { systemIds } from "../../seams/ids.ts";
import { systemDisk } from "../../store/disk.ts";
import { startCoordinator } from "../coordinator.ts";
import { GOAL, planOf, VERSION } from "./room.ts";

const [runtimeRoot = "", repository = ""] = process.argv.slice(2);
const say = (line: object): void => void writeSync(1, `${JSON.stringify(line)}\n`);

const order = await once(createInterface({ input: process.stdin }), "line");
const sessionId = String(order[0]);

try {
  const coordinator = await startCoordinator({
    seams: { clock: systemClock, ids: systemIds, disk: systemDisk, processes: createProcesses() },
    runtimeRoot,
    goalId: GOAL,
    open: sessionId === "" ? { kind: "new", plan: planOf(repository, {}) } : { kind: "existing", sessionId },
    version: VERSION,
  });
  const { url, workerToken, peopleToken, epoch } = coordinator;
  say({ url, workerToken, peopleToken, epoch, sessionId: coordinator.sessionId });
  const ended = await coordinator.ended;
  say("lost" in ended ? { lost: ended.error.code } : ended);
  await coordinator.close();
} catch (error) {
  say({ refused: error instanceof LoopwrightError ? error.code : String(error) });
}
process.exit();
