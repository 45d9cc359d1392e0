import { afterEach, expect, test } from "vitest";
import { chatCompletions } from "./chat-completions.ts";
import { generateContent } from "./generate-content.ts";
import { messages } from "./messages.ts";
import { type ModelServer, startModelServer } from "./model-server.ts";
import { responses } from "./responses.ts";
import { type Dialect, say, use } from "./turn.ts";

const TOOLS = { tools: [{}], stream: true };
const DIALECTS: readonly (readonly [string, Dialect, path: string, body: object])[] = [
  ["Responses", responses, "/v1/responses", TOOLS],
  ["Messages", messages, "/v1/messages?beta=true", TOOLS],
  ["generateContent", generateContent, "/v1beta/models/m:streamGenerateContent?alt=sse", {}],
  ["chat completions", chatCompletions, "/v1/chat/completions", TOOLS],
];

let server: ModelServer;
afterEach(() => server.close());

async function call(path: string, body: object): Promise<{ status: number; text: string }> {
  const answer = await fetch(server.url + path, { method: "POST", body: JSON.stringify(body) });
  return { status: answer.status, text: await answer.text() };
}

test.each(DIALECTS)(
  "%s: the script is played call by call, and its last turn repeats",
  async (_, dialect, path, body) => {
    server = await startModelServer(dialect);
    server.play(use("tool-of-it", { path: "here" }), say("It is done."));
    const answers = [await call(path, body), await call(path, body), await call(path, body)];
    expect(answers[0]?.text).toContain("tool-of-it");
    // Some protocols cut a text into pieces.
    for (const { text } of answers.slice(1)) expect(text).toContain("done.");
    expect(server.served()).toHaveLength(3);
    expect(server.received()).toHaveLength(3);
  },
);

test.each(DIALECTS)(
  "%s: every event is one line of JSON, and the tokens are those that count as served",
  async (_, dialect, path, body) => {
    server = await startModelServer(dialect);
    server.play(say("Good."));
    const { text } = await call(path, body);
    const data = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json = ""]) => JSON.parse(json));
    expect(data.length).toBeGreaterThan(1);
    const [tokens] = server.served();
    expect(text).toMatch(new RegExp(`"\\w+":${tokens?.cached}\\b`));
  },
);

test.each(DIALECTS)(
  "%s: a refusal has its status and headers, a dropped answer breaks off, and neither is served",
  async (_, dialect, path, body) => {
    server = await startModelServer(dialect);
    server.play(() => ({ kind: "refusal", status: 429, headers: { "retry-after": "7" } }), {
      kind: "drop",
    });
    const refused = await fetch(server.url + path, { method: "POST", body: JSON.stringify(body) });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "7"]);
    await refused.text();
    await expect(call(path, body)).rejects.toThrow();
    expect(server.served()).toEqual([]);
  },
);

test("a call that the CLI makes for itself takes no turn, and what is no model call isn't one", async () => {
  server = await startModelServer(messages);
  server.play(say("For the work."));
  const title = await call("/v1/messages?beta=true", { messages: [] });
  expect(title.text).toContain("A title");
  expect(await call("/v1/organizations", {})).toEqual({ status: 200, text: "{}" });
  expect((await call("/v1/messages?beta=true", TOOLS)).text).toContain("For the work.");
  expect(server.received().map(({ aside }) => aside)).toEqual([true, false]);
  expect(server.served()).toHaveLength(1);
});
