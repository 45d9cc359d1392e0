import { z } from "zod";

/** Every JSON file starts with this. A newer version than ours is refused by the reader before anything else. */
export const schemaVersion = z.literal(1);
export const SCHEMA_VERSION = 1;

/** ISO-8601 UTC with milliseconds and `Z`. For people; order comes from sequence numbers. */
export const timestamp = z.iso.datetime({ precision: 3 });

export const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** A git tree object's name: 40 hex digits (SHA-1) or 64 (SHA-256 repositories). */
export const treeDigest = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/);

export const goalId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/)
  .refine((id) => !id.endsWith(".") && !isReservedName(id));

/** Folder name of a workflow, workflow set or check. */
export const slug = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/)
  .refine((id) => !id.endsWith(".") && !isReservedName(id));

/** `<YYYYMMDDTHHMMSSZ>-<12 hex of the goal text's sha256>`, `-2`, `-3` on collision, `-c01` for a child. */
export const sessionId = z
  .string()
  .regex(/^\d{8}T\d{6}Z-[0-9a-f]{12}(?:-[1-9]\d{0,5})?(?:-c\d{2,4}){0,3}$/);

/** 26 lower-case characters, sortable by time of creation. */
export const attemptId = z.string().regex(/^[0-9a-hjkmnp-tv-z]{26}$/);

export const inputId = z.string().regex(/^[0-9a-zA-Z][0-9a-zA-Z_-]{0,63}$/);

/** Device names that Windows reserves, with or without an extension. */
export function isReservedName(name: string): boolean {
  return /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?$/i.test(name);
}
