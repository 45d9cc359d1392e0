import { type Line, linesOf } from "./lines.ts";

/** A `## ` section. */
export interface Section {
  readonly heading: string;
  /** The line of its heading. */
  readonly at: Line;
  readonly lines: readonly Line[];
}

export interface SectionedText {
  /** Between the two `---` lines at the top; undefined when there is none. */
  readonly front: readonly Line[] | undefined;
  readonly sections: readonly Section[];
}

/** `# ` ends a section and begins none that anybody reads. */
export function sectionsOf(text: string): SectionedText {
  const all = linesOf(text);
  const front = frontOf(text, all);
  const sections: { heading: string; at: Line; lines: Line[] }[] = [];
  let current: Line[] | undefined;
  for (const line of all.slice(front === undefined ? 0 : front.length + 2)) {
    const [, marks, heading] = (!line.fenced && HEADING.exec(line.text)) || [];
    if (marks === undefined || heading === undefined) {
      current?.push(line);
      continue;
    }
    current = [];
    if (marks === "##") sections.push({ heading: nameOf(heading), at: line, lines: current });
  }
  return { front, sections };
}

/** Sections by name, whatever their case, in the order of the text. */
export function sectionsNamed({ sections }: SectionedText, name: string): Section[] {
  const wanted = name.toLowerCase();
  return sections.filter(({ heading }) => heading.toLowerCase().replace(/\s+/g, " ") === wanted);
}

const HEADING = /^ {0,3}(##?)(?=[ \t]|$)(.*)$/;

/** `## Name ##` is `Name`. */
function nameOf(behindMarks: string): string {
  const name = behindMarks.trim();
  let end = name.length;
  while (name[end - 1] === "#") end -= 1;
  const closed = end < name.length && (end === 0 || /[ \t]/.test(name[end - 1] ?? ""));
  return closed ? name.slice(0, end).trim() : name;
}

function frontOf(text: string, lines: readonly Line[]): Line[] | undefined {
  const [first] = lines;
  if (first === undefined || !/^\ufeff?---[ \t]*$/.test(text.slice(0, first.end))) return undefined;
  const close = lines.findIndex(
    ({ start, end }, index) => index > 0 && /^(?:---|\.\.\.)[ \t]*$/.test(text.slice(start, end)),
  );
  return close === -1 ? undefined : lines.slice(1, close);
}
