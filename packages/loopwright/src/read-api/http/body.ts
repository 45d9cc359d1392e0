import type { IncomingMessage } from "node:http";
import { BODY_LIMIT, LoopwrightError, PROTOCOL } from "@loopwright/protocol";
import type { z } from "zod";

/** The JSON of a body. Throws BODY_TOO_LARGE as soon as that is known, without reading the rest; BODY_MALFORMED. */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > BODY_LIMIT) throw tooLarge();
  const bytes = await collect(request);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as unknown;
  } catch (error) {
    throw new LoopwrightError("BODY_MALFORMED", "The body is not JSON", { cause: error });
  }
}

/** Not by iterating: leaving the loop would destroy the connection before the refusal is out. */
function collect(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= BODY_LIMIT) return void chunks.push(chunk);
      request.off("data", take);
      request.pause();
      reject(tooLarge());
    };
    request.on("data", take);
    request.once("end", () => resolve(Buffer.concat(chunks)));
    request.once("error", reject);
  });
}

/** Discarded at most after a refusal, so that the caller gets to read it: closing on unread bytes resets. */
const LINGER_BYTES = 4 * BODY_LIMIT;
const LINGER_MS = 1_000;

/** Lets the rest of a refused body come in for a moment, then cuts the connection. */
export function linger(request: IncomingMessage): void {
  if (request.complete) return;
  const cut = setTimeout(() => request.destroy(), LINGER_MS);
  let discarded = 0;
  request.on("data", (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > LINGER_BYTES) request.destroy();
  });
  request.once("close", () => clearTimeout(cut));
  request.once("end", () => clearTimeout(cut));
  request.resume();
}

/** Thrown for a 422: carries the path of each bad field. */
export class InvalidBody extends LoopwrightError {
  readonly fields: { path: string; message: string }[];

  constructor(issues: readonly z.core.$ZodIssue[]) {
    const fields = issues
      .slice(0, 50)
      .map(({ path, message }) => ({ path: path.map(String).join("."), message }));
    const first = fields[0];
    const where = first === undefined || first.path === "" ? "" : `${first.path}: `;
    super("BODY_INVALID", `The body is not valid: ${where}${first?.message ?? "unknown"}`);
    this.fields = fields;
  }
}

export function parseBody<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new InvalidBody(parsed.error.issues);
}

/** Looked at before the rest, which another protocol would shape differently. Patch versions work together. */
export function refuseOtherProtocol(value: unknown, version: string): void {
  const { protocol, program_version } = (typeof value === "object" ? (value ?? {}) : {}) as Record<
    string,
    unknown
  >;
  const isOtherProtocol = typeof protocol === "number" && protocol !== PROTOCOL;
  const isOtherProgram =
    typeof program_version === "string" && seriesOf(program_version) !== seriesOf(version);
  if (!isOtherProtocol && !isOtherProgram) return;
  const theirs =
    typeof program_version === "string" ? program_version : `protocol ${String(protocol)}`;
  throw new LoopwrightError(
    "PROTOCOL_VERSION",
    `The coordinator is Loopwright ${version}, the worker is ${theirs}`,
    {
      hint: `Start the worker with the same version: npx loopwright@${version} worker`,
    },
  );
}

/** `0.1` of `0.1.7`; `2` of `2.3.4`. */
function seriesOf(version: string): string {
  const [major = "", minor = ""] = version.split(".");
  return major === "0" ? `0.${minor}` : major;
}

function tooLarge(): LoopwrightError {
  return new LoopwrightError("BODY_TOO_LARGE", `A body may have at most ${BODY_LIMIT} bytes`);
}
