import type { IncomingMessage } from "node:http";
import { LoopwrightError } from "@loopwright/protocol";

/** Names under which a server on this machine may be asked for; another Host is somebody's rebound DNS name. */
export function refuseForeign(request: IncomingMessage, hosts: ReadonlySet<string>): void {
  const { host, origin } = request.headers;
  if (host === undefined || !hosts.has(host.toLowerCase())) {
    throw new LoopwrightError("FORBIDDEN_ORIGIN", "The Host header names another server");
  }
  if (
    origin !== undefined &&
    !(origin.startsWith("http://") && hosts.has(origin.slice(7).toLowerCase()))
  ) {
    throw new LoopwrightError(
      "FORBIDDEN_ORIGIN",
      "Requests from web pages of other origins are refused",
    );
  }
  if (request.headers["sec-fetch-site"] === "cross-site") {
    throw new LoopwrightError(
      "FORBIDDEN_ORIGIN",
      "Requests from web pages of other sites are refused",
    );
  }
}

export function hostsOf(hosts: readonly string[], port: number): ReadonlySet<string> {
  const names = new Set(hosts.map((host) => (host.includes(":") ? `[${host}]` : host)));
  if (hosts.some(isLoopback))
    for (const name of ["127.0.0.1", "localhost", "[::1]"]) names.add(name);
  return new Set([...names].map((name) => `${name.toLowerCase()}:${port}`));
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

export function refuseOtherContent(request: IncomingMessage): void {
  const type = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json")
    throw new LoopwrightError("CONTENT_TYPE", "A body has to be application/json");
  const encoding = request.headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") {
    throw new LoopwrightError(
      "CONTENT_TYPE",
      `Bodies can't be sent with content encoding ${encoding}`,
    );
  }
}

/** The hint of a 405 is its Allow header. */
export function refuseOtherMethod(request: IncomingMessage, allowed: readonly string[]): void {
  if (allowed.includes(request.method ?? "")) return;
  throw new LoopwrightError("METHOD_NOT_ALLOWED", `${request.method ?? "?"} is not allowed here`, {
    hint: allowed.join(", "),
  });
}
