/** Line and column (from 1) of the value at a path in valid JSON; the deepest part of the path that exists. */
export function jsonPlace(
  text: string,
  path: readonly PropertyKey[],
): { line: number; column: number } {
  const offset = offsetOf(text, path);
  const before = text.slice(0, offset);
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
}

interface Frame {
  readonly isList: boolean;
  key: string | number;
}

function offsetOf(text: string, path: readonly PropertyKey[]): number {
  const token = /[{}[\],:]|"(?:[^"\\]|\\.)*"|[^\s{}[\],:"]+/g;
  const frames: Frame[] = [];
  let best = { depth: -1, offset: 0 };
  let expectsKey = false;
  for (const { 0: word, index } of text.matchAll(token)) {
    const top = frames.at(-1);
    if (word === "}" || word === "]") {
      frames.pop();
      expectsKey = false;
    } else if (word === ",") {
      if (top?.isList === true) top.key = Number(top.key) + 1;
      expectsKey = top?.isList === false;
    } else if (word === ":") {
      expectsKey = false;
    } else if (expectsKey && top !== undefined) {
      top.key = JSON.parse(word) as string;
    } else {
      const depth = frames.length;
      const fits = depth <= path.length && frames.every((frame, at) => frame.key === path[at]);
      if (fits && depth > best.depth) best = { depth, offset: index };
      if (word === "{") frames.push({ isList: false, key: "" });
      if (word === "[") frames.push({ isList: true, key: 0 });
      expectsKey = word === "{";
    }
  }
  return best.offset;
}
