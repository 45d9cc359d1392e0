import { z } from "zod";

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const UNIT_BYTES = {
  B: 1,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
} as const;

/** A duration as people write it (`90s`, `15m`, `8h`, `3d`), read as milliseconds. */
export const durationText = z
  .string()
  .regex(/^\d+(?:\.\d+)?(?:ms|s|m|h|d)$/, "expected a duration such as 90s, 15m, 8h or 3d")
  .transform((text) => parseQuantity(text, UNIT_MS))
  .pipe(z.int().positive("expected a duration above zero"));

/** A size as people write it (`50MB`, `1GiB`), read as bytes. */
export const sizeText = z
  .string()
  .regex(/^\d+(?:\.\d+)?(?:B|KB|MB|GB|KiB|MiB|GiB)$/, "expected a size such as 50MB or 1GiB")
  .transform((text) => parseQuantity(text, UNIT_BYTES))
  .pipe(z.int().positive("expected a size above zero"));

/** Milliseconds as a short text: `850ms`, `12.3s`, `4m 05s`, `2h 03m`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)}ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)}s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes}m ${pad(Math.floor((ms % 60_000) / 1000))}s`;
  return `${Math.floor(minutes / 60)}h ${pad(minutes % 60)}m`;
}

/** `1 file`, `3 files`, `2 entries`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

function parseQuantity(text: string, units: Record<string, number>): number {
  const match = /^([\d.]+)([A-Za-z]+)$/.exec(text);
  return Math.round(Number(match?.[1]) * (units[match?.[2] ?? ""] ?? Number.NaN));
}

function pad(value: number): string {
  return String(value).padStart(2, "0");
}
