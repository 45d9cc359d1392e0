import { addUsage, type Cause, TEXT_LIMIT, type Usage } from "@loopwright/protocol";
import type { AgentEvent, Outcome, OutputParser, RunEnd } from "../port.ts";
import { createTextTail } from "../text-tail.ts";
import { jsonLinesEvent, type JsonLinesEvent } from "./json-lines-dialect.ts";
import { plainOutcome } from "./plain-parser.ts";

interface Seen {
  sessionId: string | null;
  usage: Usage | null;
  costUsd: number | null;
  denials: number;
  endedDenied: boolean;
  rateLimit: { resetAt: string | null } | null;
  final: { ok: boolean; text: string | undefined } | null;
  failure: { cause: Cause; message: string } | null;
}

/** Reads `jsonLinesEvent`s from stdout. */
export function createJsonLinesParser(): OutputParser {
  const text = createTextTail(TEXT_LIMIT);
  const stderr = createTextTail(400);
  const seen: Seen = {
    sessionId: null,
    usage: null,
    costUsd: null,
    denials: 0,
    endedDenied: false,
    rateLimit: null,
    final: null,
    failure: null,
  };
  return {
    push(line, stream, complete) {
      if (stream === "stderr") {
        stderr.push(`${line}\n`);
        return [{ type: "text", text: complete ? `${line}\n` : line, stream }];
      }
      if (line.trim() === "") return [];
      const value = parseJson(line);
      const event = jsonLinesEvent.safeParse(value);
      if (!event.success) return [{ type: "raw", value: value ?? line }];
      note(seen, event.data);
      if (event.data.type === "text") text.push(event.data.text);
      return [toAgentEvent(event.data)];
    },
    end: (exit) => ({
      ...judge(seen, exit, stderr.toString()),
      text: seen.final?.text?.slice(0, TEXT_LIMIT) ?? text.toString(),
      denials: seen.denials,
      endedDenied: seen.endedDenied,
      agentSessionId: seen.sessionId,
      usage: seen.usage,
      costUsd: seen.costUsd,
      resetAt: seen.rateLimit?.resetAt ?? null,
    }),
  };
}

function note(seen: Seen, event: JsonLinesEvent): void {
  switch (event.type) {
    case "session":
      seen.sessionId = event.id;
      return;
    case "usage":
      noteUsage(seen, event);
      return;
    case "tool_start":
    case "tool_end":
      seen.endedDenied = false;
      return;
    case "denied":
      seen.denials += 1;
      seen.endedDenied = true;
      return;
    case "rate_limit":
      seen.rateLimit = {
        resetAt: event.reset_at === null ? null : new Date(event.reset_at).toISOString(),
      };
      return;
    case "final":
      seen.final = { ok: event.ok, text: event.text };
      // What went wrong before a success was got over.
      if (event.ok) {
        seen.failure = null;
        seen.rateLimit = null;
      }
      return;
    case "failure":
      seen.failure = { cause: event.cause, message: event.message };
      return;
    case "text":
    case "retry":
    case "question":
  }
}

function noteUsage(seen: Seen, event: Extract<JsonLinesEvent, { type: "usage" }>): void {
  const { type: _, cost_usd, ...usage } = event;
  const step = event.basis === "last_step";
  seen.usage = step && seen.usage !== null ? addUsage(seen.usage, usage) : usage;
  if (cost_usd !== undefined) seen.costUsd = (step ? (seen.costUsd ?? 0) : 0) + cost_usd;
}

/** Typed events first, the exit code after them, words never. */
function judge(
  seen: Seen,
  exit: RunEnd,
  stderr: string,
): Pick<Outcome, "outcome" | "cause" | "evidence" | "orderly"> {
  const { failure, final, rateLimit } = seen;
  const exited = exit.code !== null;
  const orderly = exited && (final !== null || failure !== null);
  if (failure !== null) {
    const evidence = `failure event: ${failure.message || failure.cause}`;
    return { outcome: "failed", cause: failure.cause, evidence, orderly };
  }
  if (rateLimit !== null) {
    return { outcome: "failed", cause: "rate_limited", evidence: "rate_limit event", orderly };
  }
  const byExit = plainOutcome(exit, stderr);
  if (byExit.outcome !== "ok") return { ...byExit, orderly };
  if (final === null)
    return { outcome: "no_result", evidence: "exit code 0 without a final event", orderly: false };
  if (!final.ok)
    return { outcome: "failed", cause: "unknown", evidence: "final event with ok: false", orderly };
  return { outcome: "ok", orderly };
}

function toAgentEvent(event: JsonLinesEvent): AgentEvent {
  if (event.type === "usage") {
    const { type, cost_usd, ...usage } = event;
    return { type, usage, ...(cost_usd === undefined ? {} : { cost_usd }) };
  }
  // The shapes agree, but for optional fields that zod types as possibly undefined.
  return event as AgentEvent;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
