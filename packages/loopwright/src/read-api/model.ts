import type {
  AttentionItem,
  GoalStatus,
  Phase,
  SessionFile,
  StateFile,
  StatusDocument,
} from "@loopwright/protocol";
import type { GoalLayout } from "../store/layout.ts";
import type { EventHub } from "./events/event-hub.ts";
import type { SessionRecord } from "./session/open-record.ts";

/** What the routes serve, whoever has it: a coordinator its one session, the status server all goals. */
export interface ReadModel {
  /** Names the server in `/healthz` and `/me`. */
  readonly version: string;
  readonly hub: EventHub;
  /** Of a server that has one session alone: its events are named by the journal, which outlives every server. */
  readonly onlySession?: string;
  /** Looks at what changed. Whoever asks while a look is under way shares it. */
  refresh(): Promise<void>;
  /** The same object while nothing changes. */
  status(): StatusDocument;
  /** By id, each with its whole texts. */
  goal(id: string): GoalAnswer | undefined;
  /** Over all goals, most severe first, then oldest. */
  attention(): readonly AttentionItem[];
  totals(): Totals;
  /** Undefined: not known here. */
  session(id: string, goalId?: string): SessionView | undefined;
  /** Up to date. Undefined: not known here. */
  record(
    id: string,
    goalId?: string,
  ): { readonly record: SessionRecord; readonly goal: GoalLayout } | undefined;
  /** The sessions in which something was written since (wall milliseconds), newest of each goal first. */
  recordsSince(from: number): SessionRecord[];
  /** What doctor finds; undefined where this server can't look. */
  machine?(): Promise<object>;
  /** When somebody last looked; null where nobody has said so. */
  seen?(): string | null;
}

/** What a coordinator says of the one session in its memory. */
export interface OwnView {
  status(): StatusDocument;
  session(id: string): SessionView | undefined;
}

export interface Totals {
  readonly goals: number;
  readonly by_phase: Readonly<Record<string, number>>;
  readonly attention: Readonly<Record<AttentionItem["severity"], number>>;
}

/** `GET /goals/:id`. */
export interface GoalAnswer {
  readonly schema_version: 1;
  readonly status: GoalStatus;
  readonly title: string;
  readonly next_action: string | null;
  readonly attention: readonly AttentionItem[];
  readonly sessions: readonly string[];
  readonly [more: string]: unknown;
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

export function totalsOf(
  goals: readonly GoalStatus[],
  attention: readonly AttentionItem[],
): Totals {
  const byPhase: Record<string, number> = {};
  for (const { phase } of goals) byPhase[phase ?? "none"] = (byPhase[phase ?? "none"] ?? 0) + 1;
  const severities = { high: 0, action: 0, watch: 0 };
  for (const { severity } of attention) severities[severity] += 1;
  return { goals: goals.length, by_phase: byPhase, attention: severities };
}
