import { type Answer, type Dialect, event, type Tokens } from "./turn.ts";

/** The Responses protocol, which Codex speaks: `POST /v1/responses`. */
export const responses: Dialect = {
  readCall(path, body) {
    if (!path.startsWith("/v1/responses")) return undefined;
    return { aside: false, streams: body["stream"] === true };
  },
  stream(answer, tokens, serial) {
    const id = `resp_${serial}`;
    const item = itemOf(answer, serial);
    return [
      event({ type: "response.created", response: { id } }, "response.created"),
      event(
        { type: "response.output_item.added", output_index: 0, item },
        "response.output_item.added",
      ),
      ...(answer.kind === "text"
        ? [
            event(
              { type: "response.output_text.delta", item_id: item.id, delta: answer.text },
              "response.output_text.delta",
            ),
          ]
        : []),
      event(
        { type: "response.output_item.done", output_index: 0, item },
        "response.output_item.done",
      ),
      event(
        {
          type: "response.completed",
          response: { id, status: "completed", usage: usageOf(tokens) },
        },
        "response.completed",
      ),
    ];
  },
  whole: (text, tokens, serial) => ({
    id: `resp_${serial}`,
    status: "completed",
    output: [itemOf({ kind: "text", text }, serial)],
    usage: usageOf(tokens),
  }),
  refusal: (status, message) => ({ error: { message, type: "error", code: String(status) } }),
};

function itemOf(answer: Answer, serial: number) {
  if (answer.kind === "text") {
    const content = [{ type: "output_text", text: answer.text, annotations: [] }];
    return {
      type: "message",
      id: `msg_${serial}`,
      role: "assistant",
      status: "completed",
      content,
    };
  }
  const { name, input } = answer;
  const call = { id: `fc_${serial}`, call_id: `call_${serial}`, name };
  // A tool with a grammar of its own, such as apply_patch, takes text.
  return "text" in input
    ? { type: "custom_tool_call", ...call, input: input.text }
    : { type: "function_call", ...call, arguments: JSON.stringify(input) };
}

function usageOf({ input, cached, output, reasoning }: Tokens): object {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}
