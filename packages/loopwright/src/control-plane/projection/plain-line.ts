/** Text of agents and files on one line of at most `limit` characters, without what steers a terminal. */
export function plainLine(text: string, limit: number): string {
  const flat = text.replace(UNPRINTABLE, " ").replace(/ {2,}/g, " ").trim();
  const characters = Array.from(flat);
  return characters.length <= limit ? flat : `${characters.slice(0, limit - 1).join("")}…`;
}

/** White space and control characters, and marks that turn the writing direction. */
const UNPRINTABLE = /[\s\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
