import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { finishedVerification, type VerificationTask } from "@loopwright/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPinStore, pinChecksAndProtected } from "../evaluation/index.ts";
import { goalLayout } from "../store/layout.ts";
import { goalDirectoryOf } from "./session-place.ts";
import { startDouble } from "./testing/coordinator-double.ts";
import { makeWorkPlace, SEAMS, STOP, type WorkPlace } from "./testing/work-place.ts";
import { runWorker } from "./worker.ts";

let place: WorkPlace;
beforeEach(() => {
  place = makeWorkPlace();
});
afterEach(() => place.remove());

const CHECKS = ".loopwright/checks";

function verification(run: string): VerificationTask {
  mkdirSync(join(place.checkout, CHECKS), { recursive: true });
  writeFileSync(
    join(place.checkout, CHECKS, "a.yaml"),
    `id: a\ntype: command\nrun: ${JSON.stringify(run)}\n`,
  );
  const store = createPinStore(SEAMS.disk, goalLayout(goalDirectoryOf(place.session)).pins);
  const { session_id, epoch, session_dir, checkout } = place.task([]);
  return {
    action: "run",
    kind: "verification",
    session_id,
    attempt_id: SEAMS.ids.next(),
    epoch,
    session_dir,
    task_dir: join(session_dir, "evaluations", "0001-1"),
    checkout,
    adopt: false,
    verification: "claim",
    base_commit: null,
    pins: pinChecksAndProtected({ checkout, checksDirectory: CHECKS, protect: [], store }),
    reuse: [],
    protect: [],
    checks_directory: CHECKS,
  };
}

async function report(task: VerificationTask) {
  const double = await startDouble((_, count) => (count === 1 ? task : STOP));
  try {
    await runWorker({
      seams: SEAMS,
      url: double.url,
      token: "t".repeat(32),
      checkout: place.checkout,
      version: "0.1.0",
    });
    return finishedVerification.parse(double.received[1]?.body);
  } finally {
    await double.close();
  }
}

test("a verification runs the pinned checks and reports its receipt", async () => {
  const task = verification("test -f a.txt && test ! -f b.txt");
  const { receipt, attempt_id } = await report(task);
  expect(attempt_id).toBe(task.attempt_id);
  expect(receipt).toMatchObject({
    attempt_id,
    kind: "claim",
    outcome: "pass",
    checks: [{ id: "a", outcome: "pass" }],
  });
  writeFileSync(join(place.checkout, "b.txt"), "");
  const again = {
    ...task,
    attempt_id: SEAMS.ids.next(),
    task_dir: join(place.session, "evaluations", "0001-2"),
  };
  expect((await report(again)).receipt).toMatchObject({ outcome: "fail" });
});

test("a cancelled verification decides nothing and says so", async () => {
  const task = verification("touch up; sleep 60");
  const reporting = report(task);
  await expect.poll(() => existsSync(join(place.checkout, "up")), { timeout: 20_000 }).toBe(true);
  const cancel = { schema_version: 1, attempt_id: task.attempt_id, mode: "now" };
  writeFileSync(join(task.task_dir, "cancel.json"), JSON.stringify(cancel));
  expect(await reporting).toMatchObject({ receipt: null, problem: "It was cancelled." });
});
