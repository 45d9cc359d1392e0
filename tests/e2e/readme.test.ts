import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  blocksOf,
  CHECKOUT,
  createNewcomer,
  type Ended,
  type Newcomer,
} from "./harness/newcomer.ts";

const README = readFileSync(join(CHECKOUT, "README.md"), "utf8");
const [checkout = "", ...project] = README.split("<!-- run in: the project -->");
const [walk = "", own = ""] = project.join("").split("## A program of your own");
const LW = "~/loopwright/dev lw";

let newcomer: Newcomer;
beforeEach(() => {
  newcomer = createNewcomer();
});
afterEach(() => newcomer.close());

describe("the README", { timeout: 300_000 }, () => {
  it("names two commands for a clone: the demo, which works, and the tests, of which this is one", async () => {
    const commands = blocksOf(checkout).flatMap(({ text }) => text.trim().split("\n"));
    expect(commands).toEqual(["./dev demo", "./dev test"]);
    const { code, output } = await newcomer.run(
      `cd ~/loopwright && TMPDIR="$HOME" ${commands[0] ?? ""}`,
    );
    expect(output).toContain("Goal met and verified");
    expect(code).toBe(0);
  });

  it("leads from `init` on one's own repository to a met goal, command by command", async () => {
    newcomer.write("../wait-for-guidance", "");
    let run: { readonly ended: Promise<Ended> } | undefined;
    for (const block of blocksOf(walk)) {
      if (block.language !== "bash") writeFile(block.text);
      else if (block.text.includes(" run ")) {
        run = newcomer.start(block.text);
        await untilRunning();
      } else await succeed(block.text);
    }
    const ended = await run?.ended;
    expect(ended, ended?.output).toMatchObject({ code: 0 });
    expect((await newcomer.run(`${LW} status`)).output).toContain("goal met, verified");
  });

  it("shows a whole agent of one's own, which reaches a met goal", async () => {
    await setUp();
    for (const { text } of blocksOf(own)) writeFile(text);
    await succeed(`${LW} validate`);
    await succeed(`${LW} run --max-iterations 5`);
    expect((await newcomer.run(`${LW} status`)).output).toContain("goal met, verified");
  });

  it("tells how to stop, and each way works", async () => {
    await setUp();
    const rows = [...README.matchAll(/^\| .+ \| (`lw .+`) \|$/gm)].map(([, cell = ""]) =>
      [...cell.matchAll(/`lw ([^`]+)`/g)].map(([, words = ""]) => words),
    );
    expect(rows.map((row) => row.join(" | "))).toEqual([
      "stop",
      "stop --now",
      "stop --kill",
      "pause | resume",
      "resume --max-iterations +20",
    ]);

    let loop = newcomer.start(`${LW} run --max-iterations 200`);
    await untilRunning();
    await succeed(`${LW} pause`);
    expect((await newcomer.run(`${LW} status`)).output).toContain("paused");
    await succeed(`${LW} resume`);
    for (const stop of ["stop", "stop --now", "stop --kill"]) {
      await untilRunning();
      await succeed(`${LW} ${stop}`);
      const ended = await loop.ended;
      expect(ended, ended.output).toMatchObject({ code: 10 });
      loop = newcomer.start(`${LW} resume --max-iterations +20`);
    }
    await untilRunning();
    await succeed(`${LW} stop --now`);
    expect(await loop.ended).toMatchObject({ code: 10 });
  });
});

/** What the README does before `validate`. */
async function setUp(): Promise<void> {
  for (const { language, text } of blocksOf(walk)) {
    if (text.includes("validate")) break;
    if (language === "bash") await succeed(text);
    else writeFile(text);
  }
}

async function succeed(script: string): Promise<void> {
  const ended = await newcomer.run(script);
  expect(ended, `${script}\n${ended.output}`).toMatchObject({ code: 0 });
}

/** A block with a file's name is that file; one without is the part of loopwright.yaml that it shows. */
function writeFile(text: string): void {
  const named = /^(?:#|\/\/) file: (.+)\n/.exec(text);
  if (named?.[1] !== undefined) return newcomer.write(named[1], text.slice(named[0].length));
  const whole = newcomer.read("loopwright.yaml");
  const changed = whole.replace(/^agents:[\s\S]*?^default_agent:.*$/m, text.trim());
  expect(changed).toContain(text.trim());
  newcomer.write("loopwright.yaml", changed);
}

async function untilRunning(): Promise<void> {
  let phase: unknown;
  const deadline = Date.now() + 60_000;
  while (phase !== "executing") {
    expect(Date.now()).toBeLessThan(deadline);
    const { output } = await newcomer.run(`${LW} status --json 2>/dev/null`);
    phase = (JSON.parse(output) as { goals: { phase: unknown }[] }).goals[0]?.phase;
  }
}
