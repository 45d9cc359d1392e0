import { spawn } from "node:child_process";
import { http } from "../../seams/node-http.ts";
import type { Notice } from "./notices.ts";

const COMMAND_PATIENCE_MS = 30_000;
const WEBHOOK_PATIENCE_MS = 10_000;

/** Runs a program with the notice as JSON on its standard input. True: it ended with 0. Never throws. */
export function runCommand(
  command: readonly string[],
  notice: Notice,
  cwd: string,
): Promise<boolean> {
  return new Promise((resolve) => {
    const [file = "", ...words] = command;
    const child = spawn(file, words, { cwd, stdio: ["pipe", "ignore", "ignore"] });
    const timer = setTimeout(() => child.kill("SIGKILL"), COMMAND_PATIENCE_MS);
    const end = (delivered: boolean): void => {
      clearTimeout(timer);
      resolve(delivered);
    };
    child.on("error", () => end(false));
    child.on("exit", (code) => end(code === 0));
    // It may not care for its input.
    const { stdin } = child as Partial<Pick<typeof child, "stdin">>;
    stdin?.on("error", () => undefined);
    stdin?.end(`${JSON.stringify(notice)}\n`);
  });
}

/** POSTs the notice as JSON. True: 2xx. Redirects aren't followed. Never throws. */
export function callWebhook(url: string, notice: Notice): Promise<boolean> {
  return new Promise((resolve) => {
    const body = JSON.stringify(notice);
    const { request } = url.startsWith("https:") ? process.getBuiltinModule("node:https") : http;
    const sent = request(
      url,
      {
        method: "POST",
        agent: false,
        headers: {
          "content-type": "application/json",
          "content-length": Buffer.byteLength(body),
          "idempotency-key": notice.id,
        },
      },
      (response) => {
        response.resume();
        const { statusCode = 0 } = response;
        resolve(statusCode >= 200 && statusCode < 300);
      },
    );
    const timer = setTimeout(() => sent.destroy(), WEBHOOK_PATIENCE_MS);
    sent.on("close", () => {
      clearTimeout(timer);
      resolve(false);
    });
    sent.on("error", () => resolve(false));
    sent.end(body);
  });
}
