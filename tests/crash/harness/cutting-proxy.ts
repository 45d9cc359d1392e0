import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

/** Stands between a worker and its coordinator and loses answers: what was asked has been done, and nobody hears of it. */
export interface CuttingProxy {
  readonly url: string;
  /** How many answers were lost. */
  cuts(): number;
  close(): Promise<void>;
}

/** Loses each answer for which `isLost` says so; `n` counts the answers from 1. */
export async function startCuttingProxy(
  target: string,
  isLost: (n: number) => boolean,
): Promise<CuttingProxy> {
  const agent = new Agent({ keepAlive: true });
  let answers = 0;
  let cuts = 0;
  const server = createServer((incoming, outgoing) => {
    const { method, headers } = incoming;
    const to = new URL(incoming.url ?? "/", target);
    const forwarded = request(
      to,
      { method, agent, headers: { ...headers, host: to.host } },
      (answer) => {
        answers += 1;
        if (isLost(answers)) {
          cuts += 1;
          answer.resume();
          incoming.socket.destroy();
          return;
        }
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    forwarded.on("error", () => incoming.socket.destroy());
    outgoing.on("close", () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cuts: () => cuts,
    close() {
      agent.destroy();
      server.closeAllConnections();
      return new Promise((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}
