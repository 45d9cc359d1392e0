import { plural } from "@loopwright/protocol";
import { type State, verifyLine } from "@loopwright/engine";
import type { OpenedSession } from "../open-session.ts";
import type { Finding } from "./finding.ts";

/** Decides every line again from the facts that it holds. */
export function journalFindings({ lines, layout, loaded }: OpenedSession): Finding[] {
  const findings: Finding[] = [];
  let state: State | null = null;
  for (const line of lines) {
    const { after, disagreements } = verifyLine(state, line);
    state = after;
    for (const { message } of disagreements) {
      findings.push({ source: "journal", where: `${layout.journal}, line ${line.seq}`, message });
    }
  }
  if (loaded.tornTail !== undefined) {
    const message = `An unfinished write of ${plural(loaded.tornTail.bytes, "byte")} stands at its end; it doesn't count, and the next coordinator cuts it off`;
    findings.push({ source: "journal", where: layout.journal, message });
  }
  return findings;
}
