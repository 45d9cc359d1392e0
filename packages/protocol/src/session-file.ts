import { z } from "zod";
import { frozenConfiguration } from "./configuration.ts";
import {
  goalId,
  schemaVersion,
  sessionId,
  sha256,
  slug,
  timestamp,
  treeDigest,
} from "./primitives.ts";
import { frozenWorkflow } from "./workflow.ts";
import { pins } from "./check.ts";

/** `session.json`: what the session is, frozen when it starts. Its sha256 stands in the journal's first record. */
export const sessionFile = z.object({
  schema_version: schemaVersion,
  session_id: sessionId,
  goal_id: goalId,
  goal_sha256: sha256,
  title: z.string(),
  /** Real path of the work tree. */
  repository: z.string(),
  base_commit: z.string().nullable(),
  base_tree: treeDigest.nullable(),
  workflow_set: slug,
  preamble: z.string(),
  configuration: frozenConfiguration,
  workflows: z.array(frozenWorkflow).min(1),
  pins,
  parent_session_id: sessionId.nullable(),
  created_at: timestamp,
  program_version: z.string(),
});
export type SessionFile = z.output<typeof sessionFile>;
