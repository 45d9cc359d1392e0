import { z } from "zod";
import { schemaVersion, timestamp } from "./primitives.ts";

/** Whose limits an agent's runs count against. */
export interface Account {
  readonly provider: string;
  /** Tells keys apart without naming them; `login` where no key is set. */
  readonly account: string;
  /** Models that share a limit: `claude-opus` of `claude-opus-4-1`. */
  readonly family: string;
}

/** `accounts/<provider>-<account>.json`: model families that the provider has closed, for all goals of the machine. */
export const accountFile = z.object({
  schema_version: schemaVersion,
  families: z.record(z.string(), z.object({ until: timestamp, told_by: z.string() })),
});
export type AccountFile = z.output<typeof accountFile>;

/** Beside it, for each hold that is over: the session that tries first. `until`: of that hold. */
export const probeFile = z.object({ until: timestamp, at: timestamp, by: z.string() });
export type ProbeFile = z.output<typeof probeFile>;
