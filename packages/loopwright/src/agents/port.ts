import type { Cause, OutcomeKind, Usage, WorkflowTask } from "@loopwright/protocol";

/** An agent of the configuration, as a session freezes it, with its name. Its `env` is not yet merged with ours. */
export type AgentSettings = WorkflowTask["agent"];

/** What one agent run is asked to do. Every path is absolute. */
export interface Assignment {
  readonly settings: AgentSettings;
  readonly permissions: WorkflowTask["permissions"];
  readonly attemptId: string;
  /** Work tree in which the agent runs. */
  readonly checkout: string;
  /** The rendered prompt, already written. */
  readonly promptFile: string;
  /** Directories beside the checkout that the agent may write. */
  readonly writable: readonly string[];
  /**
   * A directory of ours for what the CLI keeps of its own (configuration, sessions), the same one as long as the session
   * lasts. It is there. In place of the user's, so that the user's settings, hooks and MCP servers don't act in a loop.
   */
  readonly home: string;
  /** The environment that the agent has but for the plan's `env`: where the user's own files are, for logins. */
  readonly environment: Readonly<Record<string, string>>;
  /** Id of the agent session to go on with; null: begin anew. */
  readonly resume: string | null;
}

/** How to start a program. Pure data: the runner writes the files and starts it, without a shell. */
export interface LaunchPlan {
  /** Looked up on the agent's PATH if it has no slash; relative to the checkout if it has one and isn't absolute. */
  readonly file: string;
  readonly args: readonly string[];
  /** On top of the allow-listed environment. */
  readonly env: Readonly<Record<string, string>>;
  /** File that becomes stdin, or null: stdin is empty. */
  readonly stdin: string | null;
  /** Written before the start, with the directories that they need. Theirs alone to read. */
  readonly files: readonly { readonly path: string; readonly content: string }[];
  /** Made before the start where `to` exists: a login of the user that the CLI reads, and refreshes, in its own home. */
  readonly links: readonly { readonly path: string; readonly to: string }[];
}

export type Stream = "stdout" | "stderr";

/** What happened in an agent run, in the words of no particular CLI. Texts of consecutive `text` events concatenate. */
export type AgentEvent =
  | { readonly type: "session"; readonly id: string; readonly model?: string }
  | { readonly type: "text"; readonly text: string; readonly stream?: Stream }
  | {
      readonly type: "tool_start";
      readonly name: string;
      readonly id?: string;
      readonly detail?: string;
    }
  | {
      readonly type: "tool_end";
      readonly name: string;
      readonly id?: string;
      readonly ok: boolean;
      readonly detail?: string;
    }
  | { readonly type: "usage"; readonly usage: Usage; readonly cost_usd?: number }
  | { readonly type: "retry"; readonly reason: string }
  | { readonly type: "denied"; readonly action: string }
  | { readonly type: "question"; readonly text: string }
  | { readonly type: "rate_limit"; readonly reset_at: string | null }
  | { readonly type: "final"; readonly ok: boolean; readonly text?: string }
  | { readonly type: "failure"; readonly cause: Cause; readonly message: string }
  /** Something that the parser doesn't know; never an error. */
  | { readonly type: "raw"; readonly value: unknown };

/** How the agent's own process ended. Both null: nobody could say. */
export interface RunEnd {
  readonly code: number | null;
  readonly signal: string | null;
}

/** What a parser makes of a whole run that nobody stopped. */
export interface Outcome {
  readonly outcome: Extract<OutcomeKind, "ok" | "failed" | "no_result">;
  readonly cause?: Cause;
  /** One line: what was seen, from which typed source. */
  readonly evidence?: string;
  /** It exited by itself with a result. */
  readonly orderly: boolean;
  readonly denials: number;
  /** The last tool action was a refused one. */
  readonly endedDenied: boolean;
  /** At most 64 KiB; not redacted. */
  readonly text: string;
  readonly agentSessionId: string | null;
  readonly usage: Usage | null;
  readonly costUsd: number | null;
  readonly resetAt: string | null;
}

/** Reads one run's output line by line. Pure: the same lines give the same events and the same outcome. */
export interface OutputParser {
  /** One line without its line end; `complete` is false for a last one that had none. */
  push(line: string, stream: Stream, complete: boolean): AgentEvent[];
  end(exit: RunEnd): Outcome;
}

/** What an agent session has used before this run, for CLIs that count on from there. */
export interface Resumed {
  readonly id: string;
  /** Sum of its runs so far, with a `basis` of `invocation`; null: unknown. */
  readonly usage: Usage | null;
  readonly costUsd: number | null;
}

export type Probe =
  | {
      readonly version: string | null;
      readonly path: string;
      /** Versions that this adapter was tested with: from, to, both included. */
      readonly tested?: { readonly from: string; readonly to: string };
      /** Whether it would find a login, as far as can be told without asking anybody; undefined: can't be told. */
      readonly login?: { readonly found: boolean; readonly how: string };
    }
  | { readonly problem: string };

export interface AgentAdapter {
  readonly id: string;
  readonly capabilities: {
    /** Continues an earlier agent session. */
    readonly resume: boolean;
    /** Reports tokens. */
    readonly usage: boolean;
    /** Holds itself to permissions. */
    readonly permissions: boolean;
  };
  /** Sent first when it must stop; without it the ladder begins at TERM. */
  readonly nativeSignal?: NodeJS.Signals;
  /** Whose limits a run meets, such as `anthropic`; absent where nobody knows. */
  readonly provider?: (settings: { readonly model?: string | undefined }) => string;
  /** Names of variables of the user that the CLI needs, beside the standard ones: keys and addresses. */
  readonly variables: readonly string[];
  /** Whether the program can be started in this environment. Doesn't start an agent. */
  probe(settings: AgentSettings, env: Readonly<Record<string, string>>): Promise<Probe>;
  plan(assignment: Assignment): LaunchPlan;
  /** @param resumed the agent session that the run goes on with; null: it began anew */
  parser(settings: AgentSettings, resumed: Resumed | null): OutputParser;
}
