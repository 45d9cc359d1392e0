import { config } from "zod";

// Loaded before any schema is made. zod would compile each of them at its first use, which costs a process that lives
// for one command more than it gains; and what lives longer parses a few documents an iteration.
config({ jitless: true });

export {};
