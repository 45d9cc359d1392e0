import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Served } from "./http-load.ts";

const PROGRAM = `
const answers = JSON.parse(require("node:fs").readFileSync(0, "utf8")).map((text) => Buffer.from(text));
const server = require("node:http").createServer((request, response) => {
  const bytes = answers[request.url === "/status" ? 0 : 1];
  response.writeHead(200, { "content-type": "application/json", "content-length": bytes.length });
  response.end(bytes);
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
`;

/** The peer of a server: bare Node that answers the same bytes from memory. */
export async function startBareServer(
  status: string,
  goal: string,
): Promise<Served & { stop(): void }> {
  const child = spawn(process.execPath, ["--eval", PROGRAM], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(JSON.stringify([status, goal]));
  const [port] = (await once(child.stdout, "data")) as [Buffer];
  return {
    url: `http://127.0.0.1:${port.toString().trim()}`,
    token: "none",
    stop: () => void child.kill(),
  };
}
