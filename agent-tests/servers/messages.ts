import { type Answer, type Dialect, event, type Tokens } from "./turn.ts";

/** The Messages protocol, which Claude Code speaks: `POST /v1/messages?beta=true`. */
export const messages: Dialect = {
  readCall(path, body) {
    if (!/^\/v1\/messages(?:\?|$)/.test(path)) return undefined;
    const tools = body["tools"];
    return { aside: !Array.isArray(tools) || tools.length === 0, streams: body["stream"] === true };
  },
  stream(answer, tokens, serial) {
    const block = { index: 0 };
    return [
      named({
        type: "message_start",
        message: { ...messageOf(serial), content: [], usage: usageOf({ ...tokens, output: 1 }) },
      }),
      named({ type: "content_block_start", ...block, content_block: emptyBlock(answer, serial) }),
      named({ type: "content_block_delta", ...block, delta: deltaOf(answer) }),
      named({ type: "content_block_stop", ...block }),
      named({
        type: "message_delta",
        delta: {
          stop_reason: answer.kind === "text" ? "end_turn" : "tool_use",
          stop_sequence: null,
        },
        usage: usageOf(tokens),
      }),
      named({ type: "message_stop" }),
    ];
  },
  whole: (text, tokens, serial) => ({
    ...messageOf(serial),
    stop_reason: "end_turn",
    content: [{ type: "text", text }],
    usage: usageOf(tokens),
  }),
  refusal: (status, message) => ({
    type: "error",
    error: { type: status === 429 ? "rate_limit_error" : "api_error", message },
  }),
};

function named(data: { readonly type: string; readonly [field: string]: unknown }): string {
  return event(data, data.type);
}

function messageOf(serial: number) {
  return {
    id: `msg_${serial}`,
    type: "message",
    role: "assistant",
    model: "claude-sonnet-4-5",
    stop_reason: null as string | null,
    stop_sequence: null,
  };
}

function emptyBlock(answer: Answer, serial: number): object {
  return answer.kind === "text"
    ? { type: "text", text: "" }
    : { type: "tool_use", id: `toolu_${serial}`, name: answer.name, input: {} };
}

function deltaOf(answer: Answer): object {
  return answer.kind === "text"
    ? { type: "text_delta", text: answer.text }
    : { type: "input_json_delta", partial_json: JSON.stringify(answer.input) };
}

/** Here `input_tokens` is without the cached ones, and nothing tells reasoning from other output. */
function usageOf({ input, cached, output }: Tokens): object {
  return {
    input_tokens: input - cached,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: 0,
    output_tokens: output,
  };
}
