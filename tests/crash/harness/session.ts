import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Entry } from "./journal.ts";
import { followRecords } from "./journal-follower.ts";

/** A session directory seen from outside, through its files alone. */
export interface Session {
  readonly id: string;
  readonly directory: string;
  readonly journal: string;
  path(...parts: string[]): string;
  records(type?: string): readonly Entry[];
  /** The assignment of the task that was given last. */
  lastTask(): Task | undefined;
  json(...parts: string[]): Readonly<Record<string, unknown>> | undefined;
}

export interface Task {
  readonly kind: "workflow" | "verification";
  readonly attempt: string;
  readonly iteration: number;
  readonly directory: string;
}

export function sessionAt(directory: string): Session {
  const path = (...parts: string[]): string => join(directory, ...parts);
  const journal = path("journal.jsonl");
  const follow = followRecords(journal);
  const records = (type?: string): readonly Entry[] =>
    type === undefined ? follow() : follow().filter((record) => record.type === type);
  return {
    id: basename(directory),
    directory,
    journal,
    path,
    records,
    lastTask() {
      const found = records().findLast(
        ({ type }) => type === "task_assigned" || type === "verification_started",
      );
      return found === undefined ? undefined : taskOf(found, directory);
    },
    json(...parts) {
      const file = path(...parts);
      if (!existsSync(file)) return undefined;
      try {
        return JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
      } catch {
        return undefined;
      }
    },
  };
}

export function taskOf({ type, data }: Entry, sessionDirectory: string): Task {
  return {
    kind: type === "task_assigned" ? "workflow" : "verification",
    attempt: data["attempt_id"] as string,
    iteration: data["iteration"] as number,
    directory: join(sessionDirectory, data["directory"] as string),
  };
}
