import { until } from "../../crash/harness/wait.ts";
import type { Program } from "../../crash/harness/program.ts";
import type { Scratch } from "./scratch.ts";

/** A real `serve` and what its token may ask of it. */
export interface Served {
  readonly program: Program;
  get<T = unknown>(path: string): Promise<T>;
  post(path: string, body: object): Promise<{ status: number; body: Record<string, unknown> }>;
}

export async function serve(loop: Scratch, flags: readonly string[] = []): Promise<Served> {
  const program = loop.start(["serve", "--port", "0", "--json", ...flags]);
  await until("it to serve", () => program.stdout().endsWith("\n"));
  const { url, token } = JSON.parse(program.stdout()) as { url: string; token: string };
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return {
    program,
    async get<T>(path: string) {
      return (await (await fetch(url + path, { headers })).json()) as T;
    },
    async post(path, body) {
      const answer = await fetch(url + path, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
      });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    },
  };
}
