import { type IncomingMessage, request } from "node:http";

export interface StreamedEvent {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: Record<string, unknown>;
}

export interface EventClient {
  readonly events: StreamedEvent[];
  /** Those with an id. */
  records(): StreamedEvent[];
  /** The server has ended it, or we have. */
  closed(): boolean;
  /** Takes nothing more off the socket. */
  stall(): void;
  close(): void;
}

export async function openEvents(
  url: string,
  token: string,
  headers: Record<string, string> = {},
): Promise<EventClient> {
  const events: StreamedEvent[] = [];
  let closed = false;
  const sent = request(url, {
    agent: false,
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once("response", resolve);
    sent.once("error", reject);
    sent.end();
  });
  if (response.statusCode !== 200) throw new Error(`No stream: ${response.statusCode}`);
  let rest = "";
  response.setEncoding("utf8");
  response.on("data", (text: string) => {
    const frames = (rest + text).split("\n\n");
    rest = frames.pop() ?? "";
    events.push(...frames.flatMap(parsed));
  });
  response.on("close", () => {
    closed = true;
  });
  response.on("error", () => undefined);
  sent.on("error", () => undefined);
  return {
    events,
    records: () => events.filter(({ event }) => event === "record"),
    closed: () => closed,
    stall: () => void response.socket.pause(),
    close: () => void sent.destroy(),
  };
}

function parsed(frame: string): StreamedEvent[] {
  const field = (name: string): string | undefined =>
    new RegExp(`^${name}: (.*)$`, "m").exec(frame)?.[1];
  const data = field("data");
  if (data === undefined) return [];
  return [
    {
      id: field("id"),
      event: field("event") ?? "message",
      data: JSON.parse(data) as Record<string, unknown>,
    },
  ];
}
