const ROLES = "agent|user|owner|you|me|human|codex|claude|gemini|opencode|assistant";
const LABELS =
  "next[ -]?(?:action|steps?)|recommended[ -]action|recommendation|action(?:[ -]item)?|task|to-?do";

/** What stands in front of an action and says whose it is, how urgent, or which entry: never what is to be done. */
const PREFIXES: readonly RegExp[] = [
  /\s+/uy,
  /(?:[-*+•]|\d{1,3}[.)])\s+/uy,
  /\[[ x~-]?\]/iuy,
  /(?:\*\*|__)?[[(]?p\d{1,2}[\])](?:\*\*|__)?:?/iuy,
  /(?:\*\*|__)?p\d{1,2}(?:\*\*|__)?\s*:(?:\*\*|__)?/iuy,
  /todo[_-][\p{L}\p{N}_-]+\s*:/iuy,
  new RegExp(`[[(](?:${ROLES})[\\])]:?`, "iuy"),
  new RegExp(`(?:\\*\\*|__)?(?:${ROLES}|${LABELS})(?:\\*\\*|__)?\\s*:(?:\\*\\*|__)?(?!//)`, "iuy"),
];

/** `[docs]` names a place, which counts like the same word at the end. */
const TAG = /\[([\p{L}\p{N}][\p{L}\p{N} _./-]{0,39})\](?!\()/uy;

/** Where the action starts behind its prefixes, in whatever order and number they come, and the tags among them. */
export function skipPrefixes(text: string): { start: number; tags: string[] } {
  const tags: string[] = [];
  let start = 0;
  for (;;) {
    const length = prefixAt(text, start);
    if (length > 0) {
      start += length;
      continue;
    }
    TAG.lastIndex = start;
    const tag = TAG.exec(text);
    if (tag?.[1] === undefined) return { start, tags };
    tags.push(tag[1]);
    start += tag[0].length;
  }
}

function prefixAt(text: string, at: number): number {
  for (const prefix of PREFIXES) {
    prefix.lastIndex = at;
    const found = prefix.exec(text);
    if (found !== null) return found[0].length;
  }
  return 0;
}
