import { Agent, type IncomingMessage, request } from "node:http";
import { setTimeout } from "node:timers/promises";

export interface Served {
  readonly url: string;
  readonly token: string;
}

/** Sorted milliseconds from the question to the last byte of the answer, by path. */
export type Latencies = ReadonlyMap<string, number[]>;

const EACH_EVERY_MS = 500;

/** Clients that each ask every half second, by turns for each path, for so long. */
export async function pollAll(
  served: Served,
  {
    clients,
    seconds,
    paths,
  }: { clients: number; seconds: number; paths: () => [string, string][] },
): Promise<Latencies> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const found = new Map<string, number[]>();
  const end = performance.now() + seconds * 1000;
  const client = async (at: number): Promise<void> => {
    await setTimeout((at * EACH_EVERY_MS) / clients);
    for (let turn = at; performance.now() < end; turn++) {
      const all = paths();
      const [name = "", path = ""] = all[turn % all.length] ?? [];
      const started = performance.now();
      await ask(served, path, agent);
      const took = performance.now() - started;
      found.set(name, [...(found.get(name) ?? []), took]);
      await setTimeout(Math.max(0, EACH_EVERY_MS - took));
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, at) => client(at)));
  agent.destroy();
  for (const times of found.values()) times.sort((a, b) => a - b);
  return found;
}

export function ask({ url, token }: Served, path: string, agent?: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = open({ url, token }, path, agent, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        if (response.statusCode === 200) resolve(Buffer.concat(chunks).toString("utf8"));
        else reject(new Error(`${path} answered ${response.statusCode}`));
      });
    });
    sent.on("error", reject);
  });
}

/** An event stream whose owner reads its beginning and then nothing. Returns how to end it. */
export function stalledStream(served: Served): () => void {
  const sent = open(served, "/events", undefined, (response) => void response.socket.pause());
  sent.on("error", () => undefined);
  return () => void sent.destroy();
}

function open(
  { url, token }: Served,
  path: string,
  agent: Agent | undefined,
  answered: (response: IncomingMessage) => void,
) {
  const headers = { authorization: `Bearer ${token}` };
  const options = agent === undefined ? { headers } : { headers, agent };
  return request(`${url}${path}`, options, answered).end();
}

export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}
