import type { Problem } from "@loopwright/protocol";
import { type Document, isCollection, isMap, isScalar, visit, type YAMLError } from "yaml";

interface SyntaxContext {
  readonly document: Document;
  readonly text: string;
  /** `file:line:column` of an offset. */
  readonly at: (offset: number) => string;
}

/** What is said about one kind of fault; where it begins is often not where the parser noticed. */
interface Told {
  readonly offset?: number | undefined;
  readonly message?: string;
  readonly hint: string;
}

/** After these the rest of the document means what it says. */
const HARMLESS: ReadonlySet<string> = new Set(["DUPLICATE_KEY", "MULTIPLE_DOCS"]);

export function isReadable(errors: readonly YAMLError[]): boolean {
  return errors.every(({ code }) => HARMLESS.has(code));
}

/** Faults of the YAML itself, each with the way out. Of several in one line the first: the others follow from it. */
export function syntaxProblems(errors: readonly YAMLError[], context: SyntaxContext): Problem[] {
  const lines = new Set<string>();
  return errors.flatMap((error) => {
    const { offset = error.pos[0], message = sentence(error.message), hint } = tell(error, context);
    const where = context.at(offset);
    const line = where.replace(/:\d+$/, "");
    if (lines.has(line)) return [];
    lines.add(line);
    return [{ severity: error.name === "YAMLWarning" ? "warning" : "error", where, message, hint }];
  });
}

/** Text that no editor wrote, such as a program or a picture: its problem, or undefined. */
export function binaryProblem(text: string, name: string): Problem | undefined {
  const offset = text.search(BINARY);
  if (offset < 0) return undefined;
  const before = text.slice(0, offset).split("\n");
  return {
    severity: "error",
    where: `${name}:${before.length}:${(before.at(-1) ?? "").length + 1}`,
    message: "this is not a text file",
    hint: "Put the YAML text in its place, in UTF-8.",
  };
}

// Control characters but tab and line ends, and what stands for bytes that aren't UTF-8.
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const BINARY = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffd]/;

function tell(error: YAMLError, context: SyntaxContext): Told {
  const [offset] = error.pos;
  switch (error.code) {
    case "DUPLICATE_KEY":
      return duplicateKey(offset, context);
    case "MULTIPLE_DOCS":
      return {
        message: "a second document begins here",
        hint: 'Take out the line "---" and what follows it, or put that into another file.',
      };
    case "TAB_AS_INDENT":
      return { hint: "Indent with spaces." };
    case "BLOCK_AS_IMPLICIT_KEY":
      return {
        message: "there is a second value here",
        hint: 'Put text with ": " in it in quotes; where a key is meant, indent it like those above it.',
      };
    case "BAD_SCALAR_START":
      return { hint: "Put the text in quotes." };
    case "BAD_DQ_ESCAPE":
      return { hint: "Use single quotes, in which a backslash is a backslash." };
    case "MULTILINE_IMPLICIT_KEY":
      return { hint: 'Put ": " and a value behind the key, in the same line.' };
    case "TAG_RESOLVE_FAILED":
      return { hint: 'Take it out, or put text that begins with "!" in quotes.' };
    default:
      return unclosed(error, context) ?? otherwise(error);
  }
}

function otherwise({ message }: YAMLError): Told {
  if (/map values/.test(message)) return { message: "this key has no value", hint: KEY_HINT };
  if (/same column/.test(message)) return { hint: "Indent it like the keys beside it." };
  if (/same line with key/.test(message))
    return {
      message: "a list begins here, behind its key",
      hint: "Begin it in the next line, or write [one, two].",
    };
  return {
    message: "this is not expected here",
    hint: 'Look at indentation, commas and brackets; put text with ": ", " #" or quotes in it in quotes.',
  };
}

const KEY_HINT = 'Write it as "key: value", with a space behind the colon.';

/** A bracket, brace or quote that nothing closes, told where it was opened. */
function unclosed(
  { message, pos }: YAMLError,
  { document, text }: SyntaxContext,
): Told | undefined {
  const kind = /end with an? ([\]}])|Missing closing (["'])/.exec(message);
  if (kind === null) return undefined;
  const mark = kind[1] ?? kind[2] ?? "";
  const opening = mark === "]" ? "[" : mark === "}" ? "{" : mark;
  let offset: number | undefined;
  visit(document, {
    Node(_, node) {
      const [start, end] = node.range ?? [];
      if (start === undefined || end === undefined || start > pos[0]) return;
      const isIt = isCollection(node) ? node.flow === true : isScalar(node);
      if (!isIt || text[start] !== opening) return;
      if (text[end - 1] !== mark || end - 1 === start) offset = start;
    },
  });
  const closing = mark === opening ? "quote" : JSON.stringify(mark);
  return {
    offset,
    message: `the ${JSON.stringify(opening)} here is not closed`,
    hint: `Put the ${closing} where it ends; further lines of it are indented.`,
  };
}

function duplicateKey(offset: number, { document, at }: SyntaxContext): Told {
  let told: Told | undefined;
  visit(document, {
    Map(_, map) {
      if (!isMap(map)) return undefined;
      const keys = map.items.map(({ key }) => (isScalar(key) ? key : undefined));
      const again = keys.find((key) => key?.range?.[0] === offset);
      const first = keys.find((key) => key?.value === again?.value);
      if (again === undefined || first?.range?.[0] === undefined) return undefined;
      const name = JSON.stringify(String(again.value));
      told = {
        message: `the key ${name} stands here twice; first at ${at(first.range[0])}`,
        hint: "Keep one of the two.",
      };
      return visit.BREAK;
    },
  });
  return told ?? { hint: "Keep one of the two." };
}

function sentence(message: string): string {
  const first = message.split("\n")[0] ?? message;
  return first.charAt(0).toLowerCase() + first.slice(1);
}
