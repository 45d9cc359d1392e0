import { hash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { BODY_LIMIT, type ProblemBody } from "@loopwright/protocol";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Coordinator } from "../coordinator/coordinator.ts";
import type { PostOptions } from "../coordinator/testing/scripted-worker.ts";
import { READ_ROUTES } from "../read-api/routes.ts";
import { type Serving, startServing, TOKEN } from "./testing/serving.ts";

let serving: Serving;
let coordinator: Coordinator;
let before: Record<string, string>;
beforeAll(async () => {
  serving = await startServing();
  coordinator = await serving.room.start();
  await serving.get("/status");
  before = filesOf(join(serving.room.root, ".."));
});
afterAll(() => serving.close());

const PATHS = ["/status", "/goals/demo", "/sessions/x", "/events", "/metrics", "/openapi.json"];
const WRITES = ["stop", "pause", "resume", "update", "resolve", "refresh", "archive"].map(
  (name) => `/goals/demo/${name}`,
);

async function refused(
  path: string,
  options: PostOptions & { body?: unknown },
): Promise<[number, string]> {
  const { body: sent, ...rest } = options;
  const { status, body } = await serving.post(path, sent, rest);
  expect(JSON.stringify(body)).not.toMatch(/\n\s+at |node:|\.ts:\d/);
  return [status, (body as ProblemBody | undefined)?.code ?? ""];
}

it.each([...PATHS, ...WRITES])(
  "refuses another Host, Origin or site at %s, with a good token",
  async (path) => {
    for (const headers of [
      { host: "evil.example" },
      { host: "127.0.0.1:1" },
      { origin: "http://evil.example" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
    ] as Record<string, string>[])
      expect(await refused(path, { body: {}, headers })).toEqual([403, "FORBIDDEN_ORIGIN"]);
  },
);

it.each([...PATHS, ...WRITES, "/nothing", "/me"])(
  "refuses who shows no token, or a wrong one, at %s",
  async (path) => {
    for (const method of ["GET", "POST", "HEAD", "OPTIONS"]) {
      for (const token of [null, "x", `${TOKEN}x`, coordinator.peopleToken])
        expect((await serving.post(path, undefined, { method, token })).status).toBe(401);
      const inQuery = await serving.post(`${path}?token=${TOKEN}`, undefined, {
        method,
        token: null,
      });
      expect(inQuery.status).toBe(401);
    }
  },
);

it.each(WRITES)("takes nothing but JSON of its shape and size at %s", async (path) => {
  const type = { headers: { "content-type": "text/plain" }, body: {} };
  expect(await refused(path, type)).toEqual([415, "CONTENT_TYPE"]);
  const form = { headers: { "content-type": "application/x-www-form-urlencoded" }, body: {} };
  expect(await refused(path, form)).toEqual([415, "CONTENT_TYPE"]);
  expect(await refused(path, { raw: "{" })).toEqual([400, "BODY_MALFORMED"]);
  expect(await refused(path, { raw: Buffer.from([0x22, 0xff, 0x22]) })).toEqual([
    400,
    "BODY_MALFORMED",
  ]);
  const large = JSON.stringify({ text: "x".repeat(BODY_LIMIT) });
  expect(await refused(path, { raw: large })).toEqual([413, "BODY_TOO_LARGE"]);
  for (const body of [[], null, 7, { unknown: 1 }, { by: "" }])
    expect(await refused(path, { body })).toEqual([422, "BODY_INVALID"]);
  const key = { headers: { "idempotency-key": "a b" }, body: { text: "x" } };
  expect(await refused(path, key)).toEqual([422, "BODY_INVALID"]);
});

const HOSTILE = [
  "..",
  "%2e%2e",
  "..%2f..%2fetc%2fpasswd",
  "%2fetc",
  "a%00b",
  "%",
  "%ff",
  "CON",
  "demo.",
  "demo%0a",
  "x".repeat(300),
  "__proto__",
  "constructor",
];

it("finds nothing behind a hostile name in any parameter of any path", async () => {
  for (const { path } of READ_ROUTES)
    for (const parameter of path.match(/:\w+/g) ?? [])
      for (const name of HOSTILE) {
        const asked = path
          .replace(parameter, name)
          .replace(":id", path.startsWith("/goals") ? "demo" : coordinator.sessionId)
          .replace(":n", "1");
        // Two dots alone are resolved by no one here: they are a name like any other.
        const [status, code] = await refused(asked, { method: "GET" });
        expect([asked, status]).toEqual([asked, expect.toSatisfy((s) => s === 400 || s === 404)]);
        expect(code).toMatch(/_NOT_FOUND$|^GOAL_ID_INVALID$/);
      }
  for (const name of HOSTILE)
    for (const write of ["stop", "archive"]) {
      const [status] = await refused(`/goals/${name}/${write}`, { body: {} });
      expect([name, status]).toEqual([name, expect.toSatisfy((s) => s === 400 || s === 404)]);
    }
});

it("reads what stands behind ? strictly", async () => {
  const at = `/sessions/${coordinator.sessionId}`;
  for (const path of [
    `${at}/iterations?limit=x`,
    `${at}/iterations?after=-1`,
    `${at}/timeline?before=1e9`,
    `/events?session=${coordinator.sessionId}&after=..`,
    "/since?from=yesterday",
  ])
    expect([path, ...(await refused(path, { method: "GET" }))]).toEqual([
      path,
      400,
      "QUERY_INVALID",
    ]);
});

it("says which methods there are, and answers HEAD like GET without the body", async () => {
  for (const method of ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
    const reply = await serving.post("/status", undefined, { method });
    expect([reply.status, reply.headers["allow"]]).toEqual([405, "GET, HEAD"]);
  }
  for (const method of ["GET", "HEAD", "PUT", "OPTIONS"]) {
    const reply = await serving.post("/goals/demo/stop", undefined, { method });
    expect([reply.status, reply.headers["allow"]]).toEqual([405, "POST"]);
  }
  const [got, head] = [
    await serving.get("/status"),
    await serving.get("/status", { method: "HEAD" }),
  ];
  expect([head.status, head.body, head.headers["etag"]]).toEqual([
    200,
    undefined,
    got.headers["etag"],
  ]);
  expect(await refused("/nothing", { method: "GET" })).toEqual([404, "ROUTE_NOT_FOUND"]);
  expect((await serving.get("/healthz", { token: null })).status).toBe(200);
});

it("drops what isn't HTTP", async () => {
  const { port } = new URL(serving.server.url);
  const closed = await new Promise<boolean>((resolve) => {
    const socket = connect(Number(port), "127.0.0.1", () =>
      socket.end("\x16\x03\x01 hello\r\n\r\n"),
    );
    socket.on("error", () => resolve(true));
    socket.on("close", () => resolve(true));
    socket.resume();
  });
  expect(closed).toBe(true);
  expect((await serving.get("/status")).status).toBe(200);
});

it("has left every file as it was, and the session too", () => {
  expect(filesOf(join(serving.room.root, ".."))).toEqual(before);
  expect(coordinator.state()).toMatchObject({ status: "running", paused: null, iterations: 0 });
});

/** Every file with the hash of its content, and every directory; without what the coordinator writes for readers at its own pace. */
function filesOf(directory: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(directory, { recursive: true, encoding: "utf8" })) {
    if (/projections|state\.json|reserve/.test(name)) continue;
    const path = join(directory, name);
    found[name] = statSync(path).isFile() ? hash("sha256", readFileSync(path)) : "";
  }
  return found;
}
