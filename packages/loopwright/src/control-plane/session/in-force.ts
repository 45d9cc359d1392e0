import { createHash } from "node:crypto";
import {
  type JournalLine,
  LoopwrightError,
  pinsFile,
  sessionFile,
  type SessionFile,
} from "@loopwright/protocol";
import type { ZodType } from "zod";
import { parseJson, readText } from "../../store/read.ts";
import type { SessionLayout } from "../../store/session-layout.ts";

/** Which files hold what a session is run with, at some point of its journal. */
export interface InForce {
  /** Of `session.json`. */
  readonly started: string;
  /** Of the `frozen/` file that the last reload took; undefined: `session.json` itself. */
  readonly reloaded: string | undefined;
  /** Of the `frozen/` file with the pins that were taken since. */
  readonly pins: string | undefined;
}

/** @param lines of a session, from its first on */
export function inForceAfter(lines: Iterable<Pick<JournalLine, "records">>): InForce {
  let started = "";
  let reloaded: string | undefined;
  let pins: string | undefined;
  for (const { records } of lines) {
    for (const { type, data } of records) {
      if (type === "session_started") started = data.session_sha256;
      if (type === "pins_changed") pins = data.pins_sha256;
      // A reload freezes the pins of its moment with everything else.
      if (type === "configuration_reloaded") [reloaded, pins] = [data.session_sha256, undefined];
    }
  }
  return { started, reloaded, pins };
}

/**
 * What the session is run with. Throws SESSION_NOT_FOUND or FILE_INVALID; where it is `trusted` for decisions, also for
 * a file that isn't the one that the journal names.
 */
export function readInForce(
  layout: SessionLayout,
  { started, reloaded, pins }: InForce,
  trusted: boolean,
): SessionFile {
  const path = reloaded === undefined ? layout.session : layout.frozenFile(reloaded);
  const file = readFrozen(path, sessionFile, trusted ? (reloaded ?? started) : undefined);
  if (pins === undefined) return file;
  const { checks, files, links } = readFrozen(
    layout.frozenFile(pins),
    pinsFile,
    trusted ? pins : undefined,
  );
  return { ...file, pins: { checks, files, links } };
}

/** @param sha256 what the text has to have; undefined: anything */
function readFrozen<T>(path: string, schema: ZodType<T>, sha256: string | undefined): T {
  const text = readText(path);
  if (text === undefined) {
    const code = path.endsWith("session.json") ? "SESSION_NOT_FOUND" : "FILE_INVALID";
    throw new LoopwrightError(code, `There is no ${path}`, { where: path });
  }
  if (sha256 !== undefined && sha256 !== textHash(text)) {
    throw new LoopwrightError(
      "FILE_INVALID",
      `${path} is not what the journal says that the session is run with`,
      {
        where: path,
        hint: "Bring the file back as it was, or start a new session with: loopwright run --new",
      },
    );
  }
  return parseJson(path, text, schema);
}

function textHash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
