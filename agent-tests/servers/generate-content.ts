import { type Answer, type Dialect, event, type Tokens } from "./turn.ts";

/** The protocol of Gemini CLI: `POST /v1beta/models/<model>:streamGenerateContent?alt=sse`. */
export const generateContent: Dialect = {
  readCall(path) {
    if (!/:(?:streamG|g)enerateContent/.test(path)) return undefined;
    const streams = path.includes(":streamGenerateContent");
    return { aside: !streams, streams };
  },
  stream(answer, tokens) {
    const [beginning, rest] = halvesOf(answer);
    return [
      ...(beginning === undefined ? [] : [event({ candidates: [candidate(beginning)] })]),
      event({
        candidates: [{ ...candidate(rest), finishReason: "STOP" }],
        usageMetadata: usageOf(tokens),
      }),
    ];
  },
  whole: (text, tokens) => ({
    candidates: [{ ...candidate({ text }), finishReason: "STOP" }],
    usageMetadata: usageOf(tokens),
  }),
  refusal: (code, message) => ({
    error: { code, message, status: code === 429 ? "RESOURCE_EXHAUSTED" : "INTERNAL" },
  }),
};

function halvesOf(answer: Answer): [beginning: object | undefined, rest: object] {
  if (answer.kind === "tool") {
    return [undefined, { functionCall: { name: answer.name, args: answer.input } }];
  }
  const middle = Math.ceil(answer.text.length / 2);
  return [{ text: answer.text.slice(0, middle) }, { text: answer.text.slice(middle) }];
}

function candidate(part: object): object {
  return { index: 0, content: { role: "model", parts: [part] } };
}

/** Here the tokens of candidates are without those of thoughts. */
function usageOf({ input, cached, output, reasoning }: Tokens): object {
  return {
    promptTokenCount: input,
    cachedContentTokenCount: cached,
    candidatesTokenCount: output - reasoning,
    thoughtsTokenCount: reasoning,
    totalTokenCount: input + output,
  };
}
