import { styleText } from "node:util";
import { asCalled } from "./as-called.ts";

type Style = Parameters<typeof styleText>[0];

/** Where a command says things. Results go to stdout; progress and warnings to stderr, so that they never mix. */
export interface Output {
  readonly json: boolean;
  /** A line for people, with commands as they can type them; nothing with `--json`. */
  line(text?: string): void;
  /** A line of somebody else's text, exactly as it is; nothing with `--json`. */
  verbatim(text: string): void;
  /** The one JSON document; nothing without `--json`. `schema_version` is put first. */
  document(value: object): void;
  progress(text: string): void;
  warn(text: string): void;
  /** The text with a style, where stdout shows colours. */
  style(style: Style, text: string): string;
}

export function createOutput(options: { json: boolean; quiet: boolean; color: boolean }): Output {
  const coloured = options.color && !options.json;
  const note = (text: string): void => {
    if (!options.quiet) process.stderr.write(`${asCalled(text)}\n`);
  };
  const verbatim = (text: string): void => {
    if (!options.json) process.stdout.write(`${text}\n`);
  };
  return {
    json: options.json,
    line: (text = "") => verbatim(asCalled(text)),
    verbatim,
    document(value) {
      if (options.json)
        process.stdout.write(`${JSON.stringify({ schema_version: 1, ...value })}\n`);
    },
    progress: note,
    warn: (text) => note(`warning: ${text}`),
    style: (style, text) => (coloured ? styleText(style, text, { stream: process.stdout }) : text),
  };
}
