import type { AgentEvent } from "../port.ts";
import { REDACTED, type Redactor, type Span } from "./redactor.ts";
import { hasOpenKey } from "./secret-shapes.ts";

export interface EventStream {
  /** Events that are settled by now, in their order. */
  push(event: AgentEvent): AgentEvent[];
  end(): AgentEvent[];
}

const MOST_HELD = 500;
const MOST_TEXT = 64 * 1024;

/**
 * Redacts events, also a secret that is split over several texts. Texts are held until a line end, or until they get
 * too many, and with them whatever follows, so that the order stays.
 */
export function redactEvents(redactor: Redactor): EventStream {
  let held: AgentEvent[] = [];
  let text = "";
  const flush = (): AgentEvent[] => {
    const events = redactAll(redactor, held, text);
    held = [];
    text = "";
    return events;
  };
  return {
    push(event) {
      if (event.type === "text") text += event.text;
      held.push(event);
      if (held.length >= MOST_HELD || text.length >= MOST_TEXT) return flush();
      const settled =
        text === "" || (text.endsWith("\n") && !hasOpenKey(text) && !redactor.mayContinue(text));
      return settled ? flush() : [];
    },
    end: flush,
  };
}

/** `text` is all text events joined; each gets its part back, the secrets replaced where they begin. */
function redactAll(redactor: Redactor, events: readonly AgentEvent[], text: string): AgentEvent[] {
  const spans = redactor.spans(text);
  let offset = 0;
  return events.map((event) => {
    if (event.type !== "text") return redactor.value(event) as AgentEvent;
    const start = offset;
    offset += event.text.length;
    return spans.length === 0 ? event : { ...event, text: redactPart(text, spans, start, offset) };
  });
}

function redactPart(text: string, spans: readonly Span[], from: number, to: number): string {
  let result = "";
  let position = from;
  for (const [start, end] of spans) {
    if (end <= from) continue;
    if (start >= to) break;
    result += text.slice(position, Math.max(start, position));
    if (start >= from) result += REDACTED;
    position = Math.min(end, to);
  }
  return result + text.slice(position, to);
}
