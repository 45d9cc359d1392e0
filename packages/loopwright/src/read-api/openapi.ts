import { problemBody, statusDocument, WRITE_BODIES, writeAnswer } from "@loopwright/protocol";
import { z } from "zod";
import { READ_ROUTES } from "./routes.ts";

const made = new Map<string, object>();

/** `/openapi.json`, made from the routes themselves. */
export function openApi(version: string): object {
  const known = made.get(version);
  if (known !== undefined) return known;
  const document = {
    openapi: "3.1.0",
    info: { title: "Loopwright", version },
    security: [{ token: [] }],
    paths: { ...readPaths(), ...writePaths() },
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: {
        Status: z.toJSONSchema(statusDocument, { unrepresentable: "any", io: "output" }),
        Problem: z.toJSONSchema(problemBody, { unrepresentable: "any", io: "output" }),
        Written: z.toJSONSchema(writeAnswer, { unrepresentable: "any", io: "output" }),
      },
    },
  };
  made.set(version, document);
  return document;
}

const MORE = {
  "/events":
    "Events as they happen (server-sent); `?after=`, `?goal=`, `?session=`, Last-Event-ID.",
  "/metrics": "Counts in the text form of Prometheus.",
  "/me": "What the token that was shown may do.",
  "/healthz": "Whether the server answers; needs no token.",
};

function readPaths(): Record<string, object> {
  const routes = READ_ROUTES.map(({ path, summary, query = {} }) => [
    path.replace(/:(\w+)/g, "{$1}"),
    {
      get: {
        summary,
        parameters: [
          ...[...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => ({
            name,
            in: "path",
            required: true,
            schema: { type: "string" },
          })),
          ...Object.entries(query).map(([name, description]) => ({
            name,
            in: "query",
            description,
            schema: { type: "string" },
          })),
        ],
        responses: answers(path === "/status" ? "Status" : undefined),
      },
    },
  ]);
  const more = Object.entries(MORE).map(([path, summary]) => [
    path,
    { get: { summary, responses: answers(undefined) } },
  ]);
  return Object.fromEntries([...routes, ...more]) as Record<string, object>;
}

function writePaths(): Record<string, object> {
  return Object.fromEntries(
    Object.entries(WRITE_BODIES).map(([name, body]) => [
      name === "withdraw" ? `/goals/{id}/inputs/{input}/${name}` : `/goals/{id}/${name}`,
      {
        post: {
          summary: `${name} the goal's session`,
          parameters: [
            { name: "id", in: "path", required: true, schema: { type: "string" } },
            { name: "Idempotency-Key", in: "header", schema: { type: "string" } },
          ],
          requestBody: {
            content: {
              "application/json": {
                schema: z.toJSONSchema(body, { unrepresentable: "any", io: "input" }),
              },
            },
          },
          responses: answers("Written"),
        },
      },
    ]),
  );
}

function answers(schema: string | undefined): object {
  const ok = schema === undefined ? { type: "object" } : { $ref: `#/components/schemas/${schema}` };
  return {
    200: { description: "The answer.", content: { "application/json": { schema: ok } } },
    default: {
      description: "What is wrong.",
      content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
    },
  };
}
