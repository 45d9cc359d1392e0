import { LoopwrightError } from "@loopwright/protocol";
import type { SessionRecord } from "../session/open-record.ts";
import { iterationFiles } from "./iteration.ts";
import { readSlice } from "./text-file.ts";

const PROMPT_LIMIT = 1024 * 1024;
const CHANGES_LIMIT = 4 * 1024 * 1024;

/** The prompt exactly as sent, secrets redacted. Throws ITERATION_NOT_FOUND, also before it was written. */
export function promptView(session: SessionRecord, n: number): object {
  const { text, next, size } = present(session, n, "prompt", PROMPT_LIMIT);
  return { schema_version: 1, session_id: session.id, iteration: n, text, truncated: next < size };
}

/** `changes.json`: git before and after, with the list of files. */
export function changesView(session: SessionRecord, n: number): object {
  const { text } = present(session, n, "changes", CHANGES_LIMIT);
  const changes = parsed(text);
  return { schema_version: 1, session_id: session.id, iteration: n, ...changes };
}

/** Events of the normalised transcript; `after` and `next` are bytes of the file. */
export function transcriptView(
  session: SessionRecord,
  n: number,
  page: { readonly after: number; readonly limit: number },
): object {
  const { transcript } = iterationFiles(session, n);
  const slice = readSlice(transcript, page.after, page.limit);
  const whole = slice?.text.slice(0, slice.text.lastIndexOf("\n") + 1) ?? "";
  return {
    schema_version: 1,
    session_id: session.id,
    iteration: n,
    events: whole.split("\n").flatMap((line) => (line === "" ? [] : [parsed(line)])),
    // Redacting keeps no lengths: what is left of the slice is counted from its end.
    next:
      slice === undefined
        ? page.after
        : slice.next - Buffer.byteLength(slice.text.slice(whole.length)),
    size: slice?.size ?? 0,
  };
}

function present(session: SessionRecord, n: number, name: "prompt" | "changes", limit: number) {
  const slice = readSlice(iterationFiles(session, n)[name], 0, limit);
  if (slice !== undefined) return slice;
  throw new LoopwrightError("ITERATION_NOT_FOUND", `Iteration ${n} has no ${name} (yet)`);
}

function parsed(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : { value };
  } catch {
    return { unreadable: true };
  }
}
