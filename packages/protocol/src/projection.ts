import { z } from "zod";
import { driftWarning } from "./drift.ts";
import { goalId, schemaVersion, sha256, timestamp } from "./primitives.ts";
import { activation, runRow } from "./registry.ts";
import { stateFile } from "./state.ts";
import { attentionItem, phase, severity } from "./status.ts";

const count = z.int().nonnegative();

/** How a file or directory looked when something was derived from it. All of `size` … `inode` null: there was none. */
export const sourcePrint = z.object({
  /** Under the goal's directory, or absolute. */
  path: z.string(),
  size: count.nullable(),
  /** Milliseconds since the epoch, with fractions. */
  mtime_ms: z.number().nullable(),
  ctime_ms: z.number().nullable(),
  inode: z.number().nullable(),
  /**
   * What its content was. sha256 of a text, the newest id of the directory of sessions, and of the journal the `sum` of
   * its last line in force, which goes back over all lines before it. Null where only the rest is compared.
   */
  digest: z.string().nullable(),
  /** False: it had changed so shortly before that a further change might not show in its times. */
  settled: z.boolean(),
});
export type SourcePrint = z.output<typeof sourcePrint>;

/** What a projection is derived from. `state` and `runs`: `ACTIVE_STATE.md` and `runs.jsonl`. */
export const derivedFrom = z.object({
  goal: sourcePrint,
  archive: sourcePrint,
  state: sourcePrint,
  runs: sourcePrint,
  sessions: sourcePrint,
  session: sourcePrint.nullable(),
  /** Up to and with line `seq`. */
  journal: sourcePrint.extend({ seq: count }).nullable(),
  /** `HEAD` of the checkout. */
  head: sourcePrint.nullable(),
});
export type DerivedFrom = z.output<typeof derivedFrom>;

/** Something that the session's own records don't say: what recovery couldn't end. */
export const trouble = z.object({
  kind: z.string(),
  severity,
  text: z.string(),
  since: timestamp,
  next_command: z.string().nullable(),
});
export type Trouble = z.output<typeof trouble>;

const checkoutPlace = z.object({
  /** Null: detached. */
  branch: z.string().nullable(),
  /** Null: no commit yet. */
  head: z.string().nullable(),
});

/** The newest session of a goal as its journal says. Bounded like `state.json`, and texts are cut. */
export const projectedSession = stateFile
  .pick({
    session_id: true,
    seq: true,
    epoch: true,
    updated_at: true,
    started_at: true,
    workflow_set: true,
    status: true,
    stop_reason: true,
    stop_detail: true,
    verified: true,
    paused: true,
    stop_requested: true,
    iterations: true,
    limits: true,
    spent: true,
    task: true,
    seat: true,
    claim: true,
    inputs: true,
    last: true,
  })
  .extend({
    title: z.string(),
    /** Real path of the work tree. */
    repository: z.string(),
    gate: stateFile.shape.gate.pick({ last: true }),
    questions: z.array(stateFile.shape.questions.element.extend({ since: timestamp })),
    benched: z.array(z.object({ workflow_id: z.string(), since: timestamp })),
    /** Until then no account may be used that something eligible could run on. */
    hold_until: timestamp.nullable(),
    /** Where the last iteration that looked left the checkout. */
    left: checkoutPlace.extend({ iteration: z.int().positive() }).nullable(),
    troubles: z.array(trouble),
  });
export type ProjectedSession = z.output<typeof projectedSession>;

/** `projections/<goal-id>.json`: one goal's read model. Never truth; a reader derives anew what a source contradicts. */
export const projection = z.object({
  schema_version: schemaVersion,
  goal_id: goalId,
  generated_at: timestamp,
  /** Null: no session yet, or one that can't be read. */
  phase: phase.nullable(),
  coordinator: z.object({
    liveness: z.enum(["alive", "dead", "unknown", "none"]),
    pid: z.int().optional(),
    host: z.string().optional(),
  }),
  /** Null: the runtime root has no record of the goal. */
  activation: activation.nullable(),
  sessions: count,
  session: projectedSession.nullable(),
  /** Null: there is no `ACTIVE_STATE.md`. */
  active_state: z
    .object({
      digest: sha256,
      next_action: z.string().nullable(),
      open_todos: z.object({ you: count, agent: count }),
    })
    .nullable(),
  latest_run: runRow.nullable(),
  /** The newest run that recommends something. */
  recommending_run: runRow.nullable(),
  /** Where the checkout is now; null when that can't be read. */
  checkout: checkoutPlace.nullable(),
  recommended_action: z.object({ text: z.string(), source: z.string(), at: timestamp }).nullable(),
  warnings: z.array(driftWarning),
  attention: z.array(attentionItem),
  /** What of the goal couldn't be read. */
  problems: z.array(z.object({ code: z.string(), message: z.string() })),
  derived_from: derivedFrom,
});
export type Projection = z.output<typeof projection>;
