import { expect, test } from "vitest";
import { agentEnvironment } from "./environment.ts";

test("an agent sees the standard variables, what is named for it, and guards against questions; nothing else", () => {
  const environment = agentEnvironment({
    user: {
      PATH: "/bin",
      HOME: "/h",
      LC_ALL: "C",
      SECRET_KEY: "s",
      NAMED: "n",
      LOOPWRIGHT_ATTEMPT: "other",
      TERM: "xterm",
      GIT_DIR: "/x",
      CLAUDECODE: "1",
    },
    settings: { env: { PATH: "/mine", EDITOR: "vi" }, pass_env: ["NAMED", "MISSING"] },
    assignment: { LOOPWRIGHT_SESSION: "s" },
  });
  expect(environment).toMatchObject({
    PATH: "/mine",
    HOME: "/h",
    LC_ALL: "C",
    NAMED: "n",
    TERM: "dumb",
    EDITOR: "vi",
    GIT_TERMINAL_PROMPT: "0",
    LOOPWRIGHT_SESSION: "s",
  });
  for (const name of ["SECRET_KEY", "MISSING", "LOOPWRIGHT_ATTEMPT", "GIT_DIR", "CLAUDECODE"])
    expect(environment).not.toHaveProperty(name);
});
