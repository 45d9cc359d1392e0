import { z } from "zod";
import { choice } from "./choice.ts";
import { durationText } from "./quantities.ts";
import {
  attemptId,
  schemaVersion,
  sessionId,
  sha256,
  slug,
  timestamp,
  treeDigest,
} from "./primitives.ts";
import { checkOutcome, verificationKind } from "./records.ts";
import { leftover } from "./result.ts";

function checkShape<D extends z.ZodType<number>>(duration: D, timeout: z.input<D>) {
  return z.strictObject({
    id: slug.describe("Its name in receipts and prompts; no two checks share one."),
    description: z.string().default("").describe("What passes when it passes."),
    type: choice(["command", "file"], {
      values: ["judge"],
      instead: "Use a command that exits 0 when the goal is met.",
    }).describe("`command` runs a program; `file` passes if a regular file stands at `path`."),
    run: z
      .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
      .optional()
      .describe("For `command`: program and arguments (`[npm, test]`), or a text that `sh` runs."),
    cwd: z
      .string()
      .min(1)
      .optional()
      .describe("For `command`: the folder it runs in, relative to the repository's top."),
    timeout: (duration as z.ZodType<number>)
      .prefault(timeout as never)
      .describe("Longest run. A check that takes longer errors, which is never a verdict."),
    expect: z
      .strictObject({
        exit: z.int().min(0).max(255).default(0).describe("The exit code of a pass."),
        stdout_matches: z
          .string()
          .min(1)
          .optional()
          .describe("A regular expression that its output has to match, too."),
      })
      .prefault({})
      .describe("For `command`: what counts as a pass."),
    path: z
      .string()
      .min(1)
      .optional()
      .describe("For `file`: the path, relative to the repository's top."),
    judge: z
      .strictObject({
        agent: slug.describe("The agent that judges."),
        question: z.string().min(1).describe("What it is asked."),
      })
      .optional()
      .describe("For checks of type `judge`, which are not available in this version."),
    required: z.boolean().default(true).describe("Whether the goal needs it."),
    weight: z
      .number()
      .positive()
      .default(1)
      .describe("Its share in progress; without effect in this version."),
    retries: z
      .int()
      .min(0)
      .max(10)
      .default(0)
      .describe("For `command`: how often it is run again before it has failed."),
  });
}

/** One `*.yaml` of the checks directory, as people write it. */
export const checkFile = checkShape(durationText, "10m");
export type CheckFile = z.output<typeof checkFile>;

/** A check as a session pins it; `sha256` is that of its file's bytes. */
export const frozenCheck = checkShape(z.int().positive(), 600_000).extend({
  sha256,
  file: z.string(),
});
export type FrozenCheck = z.output<typeof frozenCheck>;

/** Pinned content: the checks themselves and every protected file. The bytes stand in `<goal>/pins/<sha256>`. */
export const pins = z.object({
  checks: z.array(frozenCheck),
  /** Paths are relative to the checkout, with `/`. */
  files: z.array(z.object({ path: z.string(), sha256, mode: z.enum(["100644", "100755"]) })),
  /** Symbolic links that are protected, or lead to files under protected names. */
  links: z.array(z.object({ path: z.string(), target: z.string() })).default([]),
});
export type Pins = z.output<typeof pins>;

/** `frozen/<sha256>.json` that a `pins_changed` names. */
export const pinsFile = pins.extend({ schema_version: schemaVersion });

/** `evaluations/<NNNN>-<k>/receipt.json`: what one verification found, at which tree. */
export const receipt = z.object({
  schema_version: schemaVersion,
  session_id: sessionId,
  attempt_id: attemptId,
  kind: verificationKind,
  commit: z.string().nullable(),
  tree_digest: treeDigest,
  checks: z.array(
    z.object({
      id: slug,
      sha256,
      required: z.boolean(),
      outcome: checkOutcome,
      exit_code: z.int().nullable(),
      signal: z.string().nullable().default(null),
      duration_ms: z.int().nonnegative(),
      /** One sentence: why it is not `pass`. */
      detail: z.string().max(500).default(""),
      /** Output file beside the receipt; null for checks without one. */
      output: z.string().nullable(),
    }),
  ),
  /** Protected files that were put back; `aside` says where what was found lies now, relative to the receipt. */
  replaced: z.array(
    z.object({
      path: z.string(),
      found: z.enum(["changed", "added", "deleted", "mode", "not_a_file", "not_a_directory"]),
      aside: z.string().nullable(),
    }),
  ),
  /** A check changed the tree while it ran. */
  tree_changed: z.boolean().default(false),
  leftovers: z.array(leftover).default([]),
  outcome: checkOutcome,
  /** Directory of the receipt that stands for this one (same digest, same checks); null when the checks ran. */
  reused: z.string().nullable().default(null),
  started_at: timestamp,
  finished_at: timestamp,
});
export type Receipt = z.output<typeof receipt>;
export type Replaced = Receipt["replaced"][number];
export type CheckResult = Receipt["checks"][number];
