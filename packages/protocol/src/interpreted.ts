import { config } from "zod";

/**
 * Schemas are interpreted. zod would compile each of them at its first use, which costs a process that lives for one
 * command more than it gains; and what lives longer parses a few documents an iteration. Stands first in the index, so
 * that it is set before any schema is made.
 */
export const SCHEMAS = config({ jitless: true });
