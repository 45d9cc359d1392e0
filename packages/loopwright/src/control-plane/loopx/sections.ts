/** Markdown as LoopX writes it: front matter of `key: value` lines, then `## ` sections. */
export interface Sections {
  readonly front: ReadonlyMap<string, string>;
  /** The lines of the first section whose heading fits, without HTML comments; undefined: there is none. */
  section(fits: (heading: string) => boolean): readonly string[] | undefined;
  /** All of them, in order. */
  all(fits: (heading: string) => boolean): readonly string[];
}

export function readSections(text: string): Sections {
  const lines = text.replace(/^\ufeff/, "").split(/\r?\n/);
  const { front, rest } = frontMatter(lines);
  const sections: { heading: string; lines: string[] }[] = [];
  for (const line of rest) {
    const heading = /^##[ \t]+(.+?)[ \t]*#*[ \t]*$/.exec(line)?.[1];
    if (heading === undefined) sections.at(-1)?.lines.push(line);
    else sections.push({ heading: heading.toLowerCase(), lines: [] });
  }
  return {
    front,
    section: (fits) => sections.find(({ heading }) => fits(heading))?.lines,
    all: (fits) => sections.flatMap(({ heading, lines: own }) => (fits(heading) ? own : [])),
  };
}

/** Bullets, numbers and plain lines, each with the indented lines that continue it. */
export function entriesOf(lines: readonly string[]): string[] {
  const entries: string[] = [];
  for (const line of withoutComments(lines)) {
    const continues = /^\s+\S/.test(line) && !/^\s*(?:[-*+]|\d+[.)])\s/.test(line);
    if (line.trim() === "") continue;
    const text = line.trim().replace(/^(?:[-*+]|\d+[.)])\s+/, "");
    if (continues && entries.length > 0) entries.push(`${entries.pop()} ${text}`);
    else entries.push(text);
  }
  return entries;
}

function withoutComments(lines: readonly string[]): string[] {
  return lines
    .join("\n")
    .replace(/<!--[\s\S]*?-->/g, "")
    .split("\n");
}

function frontMatter(lines: readonly string[]): { front: Map<string, string>; rest: string[] } {
  const front = new Map<string, string>();
  if (lines[0]?.trim() !== "---") return { front, rest: [...lines] };
  const end = lines.findIndex((line, index) => index > 0 && line.trim() === "---");
  if (end < 0) return { front, rest: [...lines] };
  for (const line of lines.slice(1, end)) {
    const [, key, value] = /^([\w-]+)\s*:\s*(.*)$/.exec(line) ?? [];
    if (key !== undefined && value !== undefined) front.set(key, value.replace(/^"(.*)"$/, "$1"));
  }
  return { front, rest: lines.slice(end + 1) };
}
