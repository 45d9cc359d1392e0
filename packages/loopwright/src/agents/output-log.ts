import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { createRedactor, type Redactor } from "./redaction/redactor.ts";
import { redactStream } from "./redaction/redact-stream.ts";

const CHUNK = 256 * 1024;
/** At most this share of the cap goes to stderr if stdout needs the rest. */
const STDERR_SHARE = 4;

/**
 * `output.log`: the bytes of stdout, then those of stderr under a line of their own, secrets redacted. What is beyond
 * `cap` bytes is left out of the middle, with a visible mark. Written anew if it is there already; not synced, since
 * the raw files stay until the result is durable.
 */
export async function writeOutputLog(
  path: string,
  raw: { readonly stdout: string; readonly stderr: string },
  environment: Readonly<Record<string, string | undefined>>,
  cap: number,
): Promise<void> {
  const redactor = createRedactor(environment, { bytes: true });
  const stdout = openRaw(raw.stdout);
  const stderr = openRaw(raw.stderr);
  const temporary = `${path}.tmp`;
  rmSync(temporary, { recursive: true, force: true });
  const out = openSync(temporary, "wx", 0o600);
  try {
    const stderrCap = Math.max(Math.floor(cap / STDERR_SHARE), cap - (stdout?.size ?? 0));
    const stdoutCap = Math.max(cap - Math.min(stderr?.size ?? 0, stderrCap), 0);
    if (stdout !== undefined) await copy(stdout, out, stdoutCap, redactor);
    if (stderr !== undefined && stderr.size > 0) {
      writeWhole(out, Buffer.from("\n--- stderr ---\n"));
      await copy(stderr, out, stderrCap, redactor);
    }
    renameSync(temporary, path);
  } catch (error) {
    // On a full disk half of it would only take room.
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    for (const file of [out, stdout?.fd, stderr?.fd]) if (file !== undefined) closeSync(file);
  }
}

interface RawFile {
  readonly fd: number;
  readonly size: number;
}

async function copy(from: RawFile, to: number, cap: number, redactor: Redactor): Promise<void> {
  if (from.size <= cap) return copyRange(from.fd, to, 0, from.size, redactor);
  const begin = Math.floor(cap / 2);
  const end = cap - begin;
  await copyRange(from.fd, to, 0, begin, redactor);
  writeWhole(to, Buffer.from(`\n--- ${from.size - cap} bytes left out ---\n`));
  await copyRange(from.fd, to, from.size - end, from.size, redactor);
}

async function copyRange(
  from: number,
  to: number,
  start: number,
  end: number,
  redactor: Redactor,
): Promise<void> {
  const buffer = Buffer.allocUnsafe(Math.max(Math.min(CHUNK, end - start), 1));
  const stream = redactStream(redactor);
  for (let position = start; position < end;) {
    const length = readSync(from, buffer, 0, Math.min(buffer.length, end - position), position);
    if (length === 0) break;
    position += length;
    writeWhole(to, Buffer.from(stream.push(buffer.toString("latin1", 0, length)), "latin1"));
    // Tens of megabytes take a while: others get their turn.
    if (position < end) await new Promise((resolve) => setImmediate(resolve));
  }
  writeWhole(to, Buffer.from(stream.end(), "latin1"));
}

/** A disk that gets full takes a part of the bytes without complaint. */
function writeWhole(file: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
}

function openRaw(path: string): RawFile | undefined {
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const status = fstatSync(fd);
    if (status.isFile()) return { fd, size: status.size };
    closeSync(fd);
  } catch {
    // The attempt never got as far as opening it.
  }
  return undefined;
}
