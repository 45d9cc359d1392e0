import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { foldLine, type Occurrence, react } from "@loopwright/engine";
import { readSession } from "../../packages/loopwright/src/control-plane/session/read-session.ts";
import { encodeLine } from "../../packages/loopwright/src/store/journal-line.ts";

/** Goes on with a session's journal as its coordinator would, without the rest of it. */
export function continueJournal(directory: string): (occurrence: Occurrence) => void {
  const loaded = readSession(directory);
  let { state } = loaded;
  let prev = loaded.lines.at(-1)?.sum ?? "";
  return (occurrence) => {
    const records = react(state, occurrence);
    if (records.length === 0) throw new Error(`nothing follows from "${occurrence.kind}"`);
    const line = { seq: state.seq + 1, at: new Date().toISOString(), epoch: state.epoch, records };
    const bytes = encodeLine({ ...line, prev });
    prev = bytes.toString("latin1", bytes.length - 19, bytes.length - 3);
    state = foldLine(state, line);
    appendFileSync(join(directory, "journal.jsonl"), bytes);
  };
}
