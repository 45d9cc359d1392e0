import { closeSync } from "node:fs";
import { LoopwrightError } from "@loopwright/protocol";
import type { ZodType } from "zod";
import { errorCode } from "./disk-error.ts";
import { jsonErrorPosition } from "./json-position.ts";
import { openWithoutBlocking, readUpTo } from "./regular-file.ts";

export interface ReadOptions {
  /** The newest `schema_version` of this file that the program knows. Default 1. */
  readonly version?: number;
  /** Default 64 MiB. */
  readonly maxBytes?: number;
}

/**
 * Reads a JSON file of ours. Throws FILE_INVALID (missing, empty, not JSON, not of this shape), SCHEMA_NEWER (naming
 * both versions) or FILE_UNSAFE (not a regular file). Nothing corrupt or empty is ever returned as absent.
 */
export function readJson<T>(path: string, schema: ZodType<T>, options: ReadOptions = {}): T {
  const text = readText(path, options);
  if (text === undefined) throw invalid(path, `${path} does not exist`);
  return parseJson(path, text, schema, options);
}

/** Like `readJson`, but undefined when there is no file. */
export function readJsonIfPresent<T>(
  path: string,
  schema: ZodType<T>,
  options: ReadOptions = {},
): T | undefined {
  const text = readText(path, options);
  return text === undefined ? undefined : parseJson(path, text, schema, options);
}

/** The same checks for text that was read already; `path` only names it. */
export function parseJson<T>(
  path: string,
  text: string,
  schema: ZodType<T>,
  options: ReadOptions = {},
): T {
  if (text.trim() === "") throw invalid(path, `${path} is empty`);
  const value = parse(path, text);
  refuseNewer(path, value, options.version ?? 1);
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const field = issue === undefined ? "" : issue.path.map(String).join(".");
  throw invalid(
    path,
    `${path} is not valid: ${field === "" ? "" : `${field}: `}${issue?.message ?? "unknown"}`,
  );
}

/** The text of a regular file, or undefined when there is none. Never blocks. Links are followed: people use them. */
export function readText(path: string, options: ReadOptions = {}): string | undefined {
  const maxBytes = options.maxBytes ?? 64 * 1024 * 1024;
  const opened = open(path);
  if (opened === undefined) return undefined;
  try {
    if (!opened.stats.isFile()) throw unsafe(path, `${path} is not a regular file`);
    // One byte more than it had: so that growing while it is read is noticed below.
    const bytes = readUpTo(opened.fd, Math.min(opened.stats.size, maxBytes) + 1);
    if (bytes.length > maxBytes) throw unsafe(path, `${path} is larger than ${maxBytes} bytes`);
    if (bytes.length > opened.stats.size) return readUpTo(opened.fd, maxBytes).toString("utf8");
    return bytes.toString("utf8");
  } finally {
    closeSync(opened.fd);
  }
}

function open(path: string): ReturnType<typeof openWithoutBlocking> | undefined {
  try {
    return openWithoutBlocking(path, { followLinks: true });
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw unsafe(path, `${path} can't be read (${code ?? String(error)})`, error);
  }
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { line, column } = jsonErrorPosition(text);
    const where = `${path}:${line}:${column}`;
    throw new LoopwrightError("FILE_INVALID", `${where}: this is not valid JSON`, {
      where,
      cause: error,
    });
  }
}

function refuseNewer(path: string, value: unknown, known: number): void {
  if (typeof value !== "object" || value === null || !("schema_version" in value)) return;
  const version = value.schema_version;
  if (typeof version !== "number" || version <= known) return;
  throw new LoopwrightError(
    "SCHEMA_NEWER",
    `${path} has schema version ${version}, but this program knows only up to ${known}`,
    { where: path, hint: "Update Loopwright." },
  );
}

function invalid(path: string, message: string): LoopwrightError {
  return new LoopwrightError("FILE_INVALID", message, { where: path });
}

function unsafe(path: string, message: string, cause?: unknown): LoopwrightError {
  return new LoopwrightError("FILE_UNSAFE", message, { where: path, cause });
}
