import type { JournalLine, RecordData } from "@loopwright/protocol";
import { createNotes, type SessionNotes } from "../control-plane/session/notes.ts";
import { type Conversations, createConversations } from "./conversations.ts";

/** What the shell itself remembers of the journal, beside the engine's state. Folded from the same lines. */
export interface Memory {
  /** The assignment of the last iteration, with the diagnosis that its prompt carries. */
  assigned(): RecordData<"task_assigned"> | undefined;
  readonly notes: SessionNotes;
  readonly conversations: Conversations;
  apply(line: Pick<JournalLine, "at" | "records">): void;
}

export function createMemory(): Memory {
  let assigned: RecordData<"task_assigned"> | undefined;
  const notes = createNotes();
  const conversations = createConversations();

  return {
    assigned: () => assigned,
    notes,
    conversations,
    apply(line) {
      for (const { type, data } of line.records) {
        if (type === "task_assigned") assigned = data;
        if (type === "task_finished") conversations.apply(data);
      }
      notes.apply(line);
    },
  };
}
