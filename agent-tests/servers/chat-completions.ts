import { type Answer, type Dialect, event, type Tokens } from "./turn.ts";

/** Chat completions, which OpenCode speaks with any compatible provider: `POST /v1/chat/completions`. */
export const chatCompletions: Dialect = {
  readCall(path, body) {
    if (!path.startsWith("/v1/chat/completions")) return undefined;
    const tools = body["tools"];
    return { aside: !Array.isArray(tools) || tools.length === 0, streams: body["stream"] === true };
  },
  stream(answer, tokens, serial) {
    const chunk = (choice: object): string =>
      event({ ...headOf(serial), choices: [{ index: 0, finish_reason: null, ...choice }] });
    return [
      chunk({ delta: { role: "assistant", content: "" } }),
      chunk({ delta: deltaOf(answer, serial) }),
      chunk({ delta: {}, finish_reason: answer.kind === "text" ? "stop" : "tool_calls" }),
      event({ ...headOf(serial), choices: [], usage: usageOf(tokens) }),
      "data: [DONE]\n\n",
    ];
  },
  whole: (text, tokens, serial) => ({
    ...headOf(serial),
    object: "chat.completion",
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: text } }],
    usage: usageOf(tokens),
  }),
  refusal: (status, message) => ({ error: { message, type: "error", code: String(status) } }),
};

function headOf(serial: number): object {
  return { id: `chat_${serial}`, object: "chat.completion.chunk", created: 0, model: "model" };
}

function deltaOf(answer: Answer, serial: number): object {
  if (answer.kind === "text") return { content: answer.text };
  const { name, input } = answer;
  const called = { name, arguments: JSON.stringify(input) };
  return {
    tool_calls: [{ index: 0, id: `call_${serial}`, type: "function", function: called }],
  };
}

function usageOf({ input, cached, output, reasoning }: Tokens): object {
  return {
    prompt_tokens: input,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens: output,
    completion_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}
