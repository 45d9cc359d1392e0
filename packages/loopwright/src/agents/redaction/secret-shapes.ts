const VALUE = String.raw`[^\s"',;\\]+`;

/**
 * Shapes that well-known secrets have, wherever they come from. The text before the group `s` stays readable.
 * Only spaces and tabs join a header's name with its value, so that a line end always ends what could be a secret.
 */
const SHAPES = [
  String.raw`(?:proxy-)?authorization["']?[ \t]*[:=][ \t]*["']?(?:(?:bearer|basic|token|digest)[ \t]+)?(?<s1>${VALUE})`,
  String.raw`(?:x-)?(?:goog-)?api-key["']?[ \t]*[:=][ \t]*["']?(?<s2>${VALUE})`,
  String.raw`\bbearer[ \t]+(?<s3>[A-Za-z0-9._~+/=-]{16,})`,
  String.raw`\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@"']{0,200}:(?<s4>[^\s/@"']{1,500})@`,
  String.raw`\b(?<s5>sk-[A-Za-z0-9_-]{16,})`,
  String.raw`\b(?<s6>gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,})`,
  String.raw`\b(?<s7>xox[abeoprs]-[A-Za-z0-9-]{10,})`,
  String.raw`\b(?<s8>A[KS]IA[0-9A-Z]{16}|AIza[0-9A-Za-z_-]{30,})`,
  String.raw`\b(?<s9>(?:npm|hf)_[A-Za-z0-9]{30,})`,
  String.raw`\b(?<s10>eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,})`,
  String.raw`-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?<s11>[\s\S]{1,8000}?)-----END`,
];

/** One look for all shapes; `d` gives the position of the group. */
export function secretShapes(): RegExp {
  return new RegExp(SHAPES.join("|"), "gid");
}

/** Cheap test: a text without any of these has no match. */
export const MAY_HAVE_SHAPE =
  /authorization|api-key|bearer|:\/\/|sk-|gh[pousr]_|github_pat|glpat-|xox|A[KS]IA|AIza|npm_|hf_|eyJ|PRIVATE KEY/i;

/** A private key has begun and not ended: what follows belongs to it. */
export function hasOpenKey(text: string): boolean {
  const begin = text.lastIndexOf("-----BEGIN ");
  return begin >= 0 && text.length - begin < 8_100 && !text.includes("-----END", begin);
}
