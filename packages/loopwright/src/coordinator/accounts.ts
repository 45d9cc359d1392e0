import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import {
  type Account,
  type AccountFile,
  accountFile,
  type AgentConfiguration,
  LoopwrightError,
  type ProbeFile,
  probeFile,
  type RecordData,
  type SessionFile,
} from "@loopwright/protocol";
import { changeSharedFile } from "../control-plane/shared-file.ts";
import type { RuntimeLayout } from "../store/layout.ts";
import { parseJson, readText } from "../store/read.ts";
import type { Seams } from "./seams.ts";

/** What a provider's account is held for, shared by all goals of the machine. */
export interface Accounts {
  /** Until when (wall milliseconds) others of this machine have found it closed; undefined when it is open. */
  until(agent: string, file: SessionFile, now: number): number | undefined;
  /** Tells the others that an account is closed, or that it is open again. */
  tell(finished: RecordData<"task_finished">, until: number | undefined, file: SessionFile): void;
}

export type AccountOf = (settings: AgentConfiguration) => Account | null;

/** At the end of a hold one run goes ahead of the others by this much: what closes at once is met by it alone. */
const AHEAD_MS = 60_000;

export interface AccountsOptions {
  readonly sessionId: string;
  readonly accountOf: AccountOf;
  readonly onProblem: (error: unknown) => void;
}

/** Where nothing can be read or written, each session keeps to what it met itself. */
export function createAccounts(
  seams: Seams,
  runtime: RuntimeLayout,
  { sessionId, accountOf, onProblem }: AccountsOptions,
): Accounts {
  const known = new Map<string, { print: string; families: Families }>();

  const accountIn = ({ configuration }: SessionFile, agent: string): Account | null => {
    const settings = configuration.agents[agent];
    return settings === undefined ? null : accountOf(settings);
  };

  const read = (path: string): Families => {
    const print = printOf(path);
    const found = known.get(path);
    if (found?.print === print) return found.families;
    const families = familiesIn(path);
    known.set(path, { print, families });
    return families;
  };

  return {
    until(agent, file, now) {
      const account = accountIn(file, agent);
      if (account === null) return undefined;
      const path = runtime.account(account.provider, account.account);
      const hold = read(path)[account.family];
      if (hold === undefined) return undefined;
      const until = Date.parse(hold.until);
      if (until > now) return until;
      return afterProbe(`${path}.${account.family}.probe`, hold.until, sessionId, now);
    },
    tell(finished, until, file) {
      const account = accountIn(file, finished.agent);
      if (account === null) return;
      const path = runtime.account(account.provider, account.account);
      if (until === undefined && read(path)[account.family] === undefined) return;
      changeSharedFile(seams, path, (text) => {
        const { [account.family]: _, ...others } = familiesOf(text, path);
        const families =
          until === undefined
            ? others
            : {
                ...others,
                [account.family]: {
                  until: new Date(until).toISOString(),
                  told_by: finished.attempt_id,
                },
              };
        return `${JSON.stringify({ schema_version: 1, families })}\n`;
      }).catch(onProblem);
    },
  };
}

type Families = AccountFile["families"];

/**
 * A hold that is over is tried by one session first. Undefined: that is us, or it has gone ahead long enough.
 * @param until of the hold: each has its own probe
 */
function afterProbe(path: string, until: string, by: string, now: number): number | undefined {
  const probe = readProbe(path);
  if (probe?.until === until) {
    const ahead = Date.parse(probe.at) + AHEAD_MS;
    return probe.by === by || ahead <= now ? undefined : ahead;
  }
  try {
    if (probe !== undefined) rmSync(path, { force: true });
    const fd = openSync(path, "wx", 0o600);
    writeSync(fd, JSON.stringify({ until, at: new Date(now).toISOString(), by }));
    closeSync(fd);
    return undefined;
  } catch {
    // Somebody was first, who is looked at the next time; or nothing can be written, and nobody is held for that.
    return readProbe(path) === undefined ? undefined : now + AHEAD_MS;
  }
}

function readProbe(path: string): ProbeFile | undefined {
  try {
    return probeFile.safeParse(JSON.parse(readFileSync(path, "utf8"))).data;
  } catch {
    return undefined;
  }
}

function familiesIn(path: string): Families {
  try {
    return familiesOf(readText(path), path);
  } catch (error) {
    if (error instanceof LoopwrightError) return {};
    throw error;
  }
}

/** What isn't ours counts as nothing: it is replaced with the next hold. */
function familiesOf(text: string | undefined, path: string): Families {
  if (text === undefined) return {};
  try {
    return parseJson(path, text, accountFile).families;
  } catch (error) {
    if (error instanceof LoopwrightError) return {};
    throw error;
  }
}

function printOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? "-" : `${found.ino}:${found.size}:${found.ctimeMs}`;
}
