import type { SessionFile, StateFile, StatusDocument } from "@loopwright/protocol";
import type { AttentionItem, Phase } from "@loopwright/protocol";

/** What the routes serve, whoever has it: a coordinator its one session, the status server all goals. */
export interface ReadModel {
  status(): StatusDocument;
  /** Undefined: not known here. */
  session(id: string): SessionView | undefined;
}

/** One session in full, as `GET /sessions/:id` answers it. */
export interface SessionView {
  readonly schema_version: 1;
  readonly phase: Phase;
  readonly state: StateFile;
  readonly session: Omit<SessionFile, "configuration" | "workflows" | "pins" | "preamble">;
  readonly attention: readonly AttentionItem[];
}

/** `session.json` without what is long. */
export function sessionSummary(file: SessionFile): SessionView["session"] {
  const { configuration: _, workflows: __, pins: ___, preamble: ____, ...rest } = file;
  return rest;
}
