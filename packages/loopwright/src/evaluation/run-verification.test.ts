import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Receipt } from "@loopwright/protocol";
import { receipt as receiptSchema } from "@loopwright/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemIds } from "../seams/ids.ts";
import { createGateRoom, type GateRoom } from "./testing/gate-room.ts";

let room: GateRoom;
beforeEach(() => {
  room = createGateRoom();
  room.scratch.write("answer.txt", "41\n");
  room.scratch.write("tests/answer.sh", "grep -qx 42 answer.txt\n");
  room.check("answer", "id: answer\ntype: command\nrun: [sh, tests/answer.sh]\n");
  room.scratch.commit();
});
afterEach(() => room.close());

const outcomes = (receipt: Receipt): string[] =>
  receipt.checks.map(({ id, outcome, exit_code }) => `${id} ${outcome} ${exit_code}`);

describe("runVerification", () => {
  it("is red before the work and green after it, with a receipt on disk", async () => {
    const pins = room.pin();
    const red = await room.receipt(pins);
    expect(red).toMatchObject({ outcome: "fail", replaced: [], tree_changed: false, reused: null });
    expect(red.checks[0]?.detail).toBe("It exited with 1, expected 0.");
    room.scratch.write("answer.txt", "42\n");
    const green = await room.receipt(pins);
    expect(outcomes(green)).toEqual(["answer pass 0"]);
    expect(green.tree_digest).not.toBe(red.tree_digest);
    const written = JSON.parse(readFileSync(join(room.directory(2), "receipt.json"), "utf8"));
    expect(receiptSchema.parse(written)).toEqual(green);
  });

  it("is not fooled by an edited test, a deleted check, an easier check or an added override", async () => {
    const pins = room.pin();
    room.scratch.write("tests/answer.sh", "exit 0\n");
    expect((await room.receipt(pins)).outcome).toBe("fail");
    rmSync(room.scratch.at(".loopwright"), { recursive: true });
    room.check("answer", "id: answer\ntype: command\nrun: 'true'\n");
    room.check("more", "id: more\ntype: command\nrun: 'true'\n");
    const receipt = await room.receipt(pins);
    expect(outcomes(receipt)).toEqual(["answer fail 1"]);
    expect(receipt.replaced.map(({ path, found }) => `${found} ${path}`)).toEqual([
      "changed .loopwright/checks/answer.yaml",
      "added .loopwright/checks/more.yaml",
    ]);
  });

  it.each([
    ["a link", (path: string) => symlinkSync("/bin/true", path)],
    ["a directory", (path: string) => mkdirSync(path)],
    ["a FIFO", (path: string) => spawnSync("mkfifo", [path])],
  ])("is not fooled or held up by %s in the place of a test", async (_, plant) => {
    const pins = room.pin();
    rmSync(room.scratch.at("tests/answer.sh"));
    plant(room.scratch.at("tests/answer.sh"));
    const receipt = await room.receipt(pins);
    expect(outcomes(receipt)).toEqual(["answer fail 1"]);
    expect(receipt.replaced).toMatchObject([{ path: "tests/answer.sh", found: "not_a_file" }]);
  });

  it("calls it an error, never a verdict, when the program is missing, not executable or killed", async () => {
    room.scratch.write("tool.sh", "#!/bin/sh\nexit 0\n");
    chmodSync(room.scratch.at("tool.sh"), 0o755);
    room.check("a", "id: a\ntype: command\nrun: [./tool.sh]\n");
    room.check("b", "id: b\ntype: command\nrun: no-such-command-anywhere\n");
    room.check("c", "id: c\ntype: command\nrun: './tool.sh'\n");
    room.check("d", "id: d\ntype: command\nrun: 'kill -9 $$'\n");
    room.check("e", "id: e\ntype: command\nrun: 'exit 137'\n");
    room.check("f", "id: f\ntype: command\nrun: 'exit 127'\nexpect: { exit: 127 }\n");
    const pins = room.pin();
    chmodSync(room.scratch.at("tool.sh"), 0o644);
    const receipt = await room.receipt(pins);
    expect(receipt.outcome).toBe("error");
    expect(outcomes(receipt)).toEqual([
      "a error null",
      "answer fail 1",
      "b error 127",
      "c error 126",
      "d error null",
      "e fail 137",
      "f pass 127",
    ]);
    expect(receipt.checks[4]).toMatchObject({ signal: "SIGKILL" });
  });

  it("ends a check that hangs, with everything it started, and calls it an error", async () => {
    room.check("hang", "id: hang\ntype: command\nrun: 'sleep 60 & sleep 61'\ntimeout: 300ms\n");
    const pins = room.pin();
    const attemptId = systemIds.next();
    const receipt = await room.receipt(pins, { attemptId });
    expect(receipt.checks[1]).toMatchObject({
      outcome: "error",
      detail: "It took longer than 300ms and was ended.",
    });
    expect(room.processes.marked(attemptId)).toEqual([]);
  });

  it("names and ends what a check leaves running, and is not held up by its open output", async () => {
    room.check("serve", "id: serve\ntype: command\nrun: 'setsid sleep 60 & exit 0'\n");
    const pins = room.pin();
    const attemptId = systemIds.next();
    const receipt = await room.receipt(pins, { attemptId });
    expect(receipt.checks[1]).toMatchObject({ id: "serve", outcome: "pass" });
    expect(receipt.leftovers).toMatchObject([{ command: "sleep 60", ended: true }]);
    expect(room.processes.marked(attemptId)).toEqual([]);
  });

  it("gives a check an empty stdin, the allow-listed environment and the marker", async () => {
    room.check(
      "env",
      "id: env\ntype: command\nrun: 'cat; env'\nexpect: { stdout_matches: '^LOOPWRIGHT_ATTEMPT=' }\n",
    );
    process.env["LOOPWRIGHT_TEST_SECRET"] = "x";
    const receipt = await room.receipt(room.pin());
    delete process.env["LOOPWRIGHT_TEST_SECRET"];
    expect(receipt.checks[1]).toMatchObject({ outcome: "pass", output: "env.log" });
    const output = readFileSync(join(room.directory(1), "env.log"), "utf8");
    expect(output).not.toContain("LOOPWRIGHT_TEST_SECRET");
    expect(existsSync(join(room.directory(1), "env.stdout.raw"))).toBe(false);
  });

  it("looks at stdout where asked, and gives up on a pattern that never ends", async () => {
    room.check("no", "id: no\ntype: command\nrun: echo fine\nexpect: { stdout_matches: '^ok$' }\n");
    room.check(
      "slow",
      "id: slow\ntype: command\nrun: \"printf '%050d' 0\"\nexpect: { stdout_matches: '^(0+)+x$' }\n",
    );
    room.check(
      "yes",
      "id: yes\ntype: command\nrun: 'echo before; echo ok'\nexpect: { stdout_matches: '^ok$' }\n",
    );
    expect(outcomes(await room.receipt(room.pin())).slice(1)).toEqual([
      "no fail 0",
      "slow error 0",
      "yes pass 0",
    ]);
  });

  it("passes a file check for a real file inside the checkout only", async () => {
    for (const name of ["real", "link", "behind/file", "folder", "missing"]) {
      const id = name.replace("/", "-");
      room.check(`f-${id}`, `id: f-${id}\ntype: file\npath: ${name}\n`);
    }
    const pins = room.pin();
    room.scratch.write("real", "");
    symlinkSync("/etc/hostname", room.scratch.at("link"));
    mkdirSync(join(room.scratch.room, "outside"));
    room.scratch.write("../outside/file", "x");
    symlinkSync(join(room.scratch.room, "outside"), room.scratch.at("behind"));
    mkdirSync(room.scratch.at("folder"));
    const receipt = await room.receipt(pins);
    expect(
      receipt.checks.slice(1).map(({ id, outcome, detail }) => `${id} ${outcome} ${detail}`),
    ).toEqual([
      "f-behind-file fail behind/file lies behind a symbolic link.",
      "f-folder fail folder is not a regular file.",
      "f-link fail link is a symbolic link.",
      "f-missing fail missing does not exist.",
      "f-real pass ",
    ]);
  });

  it("runs in the named directory, and never in one that a link leads out to", async () => {
    room.scratch.write("sub/file", "x\n");
    room.check("cwd", "id: cwd\ntype: command\nrun: test -f file\ncwd: sub\n");
    const pins = room.pin();
    expect((await room.receipt(pins)).checks[1]?.outcome).toBe("pass");
    rmSync(room.scratch.at("sub"), { recursive: true });
    mkdirSync(join(room.scratch.room, "outside"));
    room.scratch.write("../outside/file", "x");
    symlinkSync(join(room.scratch.room, "outside"), room.scratch.at("sub"));
    expect((await room.receipt(pins)).checks[1]).toMatchObject({
      outcome: "error",
      detail: "It could not be started: sub is a symbolic link.",
    });
  });

  it("repeats a check that fails as often as it allows", async () => {
    room.check(
      "flaky",
      "id: flaky\ntype: command\nrun: 'echo x >> ../tries; test $(wc -l < ../tries) -ge 3'\nretries: 2\n",
    );
    expect((await room.receipt(room.pin())).checks[1]).toMatchObject({
      outcome: "pass",
      output: "flaky.retry-2.log",
    });
  });

  it("only required checks decide", async () => {
    room.scratch.write("answer.txt", "42\n");
    room.check("nice", "id: nice\ntype: command\nrun: exit 1\nrequired: false\n");
    expect((await room.receipt(room.pin())).outcome).toBe("pass");
  });

  it("says when a check changed the tree", async () => {
    room.check("writes", "id: writes\ntype: command\nrun: echo x > made-by-check\n");
    expect(await room.receipt(room.pin())).toMatchObject({ tree_changed: true });
  });
});

describe("a verification that can't end with a verdict", () => {
  it("writes no receipt when it is cancelled, and ends what runs", async () => {
    room.check("long", "id: long\ntype: command\nrun: 'touch ../started; sleep 60'\n");
    const pins = room.pin();
    const controller = new AbortController();
    const attemptId = systemIds.next();
    const ended = room.verify(pins, { signal: controller.signal, attemptId });
    await expect
      .poll(() => existsSync(join(room.scratch.room, "started")), { timeout: 20_000 })
      .toBe(true);
    controller.abort();
    expect(await ended).toEqual({ kind: "cancelled" });
    expect(room.processes.marked(attemptId)).toEqual([]);
    expect(existsSync(join(room.directory(1), "receipt.json"))).toBe(false);
  });

  it("says that the checkout is gone", async () => {
    const pins = room.pin();
    rmSync(room.scratch.root, { recursive: true });
    expect(await room.verify(pins)).toMatchObject({ kind: "impossible", gone: true });
  });

  it("refuses to judge with a damaged pin", async () => {
    const pins = room.pin();
    rmSync(join(room.scratch.room, "goal", "pins"), { recursive: true });
    room.scratch.write("tests/answer.sh", "exit 0\n");
    expect(await room.verify(pins)).toMatchObject({
      kind: "impossible",
      gone: false,
      problem: expect.stringContaining("loopwright check --repin"),
    });
  });

  it("is not held up by a FIFO in place of a pin, and can pin over it", async () => {
    const pins = room.pin();
    const directory = join(room.scratch.room, "goal", "pins");
    for (const { sha256 } of pins.files) {
      rmSync(join(directory, sha256));
      execFileSync("mkfifo", [join(directory, sha256)]);
    }
    room.scratch.write("tests/answer.sh", "exit 0\n");
    expect(await room.verify(pins)).toMatchObject({ kind: "impossible" });
    room.scratch.git("checkout", "--", "tests");
    rmSync(directory, { recursive: true });
    writeFileSync(directory, "a file");
    room.pin();
    room.scratch.write("tests/answer.sh", "exit 0\n");
    expect(await room.verify(pins)).toMatchObject({ kind: "receipt" });
  });
});
