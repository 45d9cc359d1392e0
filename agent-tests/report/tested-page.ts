/** What one run of the tests found out about one CLI. */
export interface Tested {
  /** Name of the test file without its endings: `claude`. */
  readonly cli: string;
  readonly title: string;
  readonly version: string;
  /** Such as `2026-01-01`. */
  readonly date: string;
  /** Such as `Node v24.22.3, linux x64`. */
  readonly machine: string;
  readonly scenarios: readonly { readonly name: string; readonly result: string }[];
}

const MARK = /^<!-- (\w+) -->\n[\s\S]*?^<!-- end -->\n/gm;

/** The page with the sections of these CLIs in place of their earlier ones; other sections stay. */
export function withSections(page: string, tested: readonly Tested[]): string {
  const sections = new Map<string, string>();
  for (const [whole, cli = ""] of page.matchAll(MARK)) sections.set(cli, whole);
  for (const one of tested) sections.set(one.cli, sectionOf(one));
  const head = page.replaceAll(MARK, "").trimEnd();
  const sorted = [...sections].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `${[head, ...sorted.map(([, section]) => section.trimEnd())].join("\n\n")}\n`;
}

function sectionOf({ cli, title, version, date, machine, scenarios }: Tested): string {
  return `${[
    `<!-- ${cli} -->`,
    `## ${title} ${version}`,
    "",
    `Run on ${date} with ${machine}.`,
    "",
    "| scenario | result |",
    "| --- | --- |",
    ...scenarios.map(({ name, result }) => `| ${cell(name)} | ${cell(result)} |`),
    "<!-- end -->",
  ].join("\n")}\n`;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ");
}
