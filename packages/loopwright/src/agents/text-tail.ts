/** Keeps the end of a long text in bounded memory. Never cuts inside a surrogate pair. */
export interface TextTail {
  push(text: string): void;
  toString(): string;
}

export function createTextTail(limit: number): TextTail {
  let parts: string[] = [];
  let length = 0;
  const compact = (): string => {
    const text = lastOf(parts.join(""), limit);
    parts = text === "" ? [] : [text];
    length = text.length;
    return text;
  };
  return {
    push(text) {
      parts.push(text);
      length += text.length;
      if (length > 2 * limit || parts.length > 4096) compact();
    },
    toString: compact,
  };
}

/** The last `limit` UTF-16 units of a text, one fewer where that would halve a character. */
export function lastOf(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = text.slice(text.length - limit);
  return isLowSurrogate(end.charCodeAt(0)) ? end.slice(1) : end;
}

/** The first `limit` UTF-16 units of a text, one fewer where that would halve a character. */
export function firstOf(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return text.slice(0, isLowSurrogate(text.charCodeAt(limit)) ? limit - 1 : limit);
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
