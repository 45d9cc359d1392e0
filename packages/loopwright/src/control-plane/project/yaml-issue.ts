import { durationText, type Problem, sizeText, slug } from "@loopwright/protocol";
import type { core, ZodType } from "zod";
import { closest } from "../closest.ts";
import { definitionOf, isOf, keysOf, schemaAt } from "./schema-at.ts";
import { NAME_HINT, suggestion, TYPE_NAMES, wordsOf } from "./suggestion.ts";

interface IssueContext {
  readonly schema: ZodType;
  /** The whole value that was checked. */
  readonly value: unknown;
  readonly place: (path: readonly PropertyKey[], target?: "key" | "value") => string;
}

type Issue = core.$ZodIssue;

/** One problem for each thing that a person has to change, each with the way out. */
export function problemsOfIssue(issue: Issue, context: IssueContext): Problem[] {
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => unknownKey(key, issue.path, context));
  if (issue.code === "invalid_key") return wrongName(issue, context);
  if (issue.code === "invalid_union") {
    const inside = insideOf(issue);
    if (inside.length > 0) return inside.flatMap((each) => problemsOfIssue(each, context));
  }
  const found = valueAt(context.value, issue.path);
  const name = issue.path.map(String).join(".");
  const where = context.place(issue.path);
  const chain = schemaAt(context.schema, issue.path);
  const holders = issue.path.map((_, length) =>
    schemaAt(context.schema, issue.path.slice(0, length)),
  );
  const hint = suggestion(issue, found, chain, holders.reverse());
  const message =
    found === undefined && name !== ""
      ? `${quote(name)} is missing`
      : `${name === "" ? "the file" : name}: ${reason(issue, context)}${found === undefined ? "" : `, found ${show(found)}`}`;
  return [{ severity: "error", where, message, hint }];
}

/** The schema stops at a wrong name: what stands under it is looked at all the same. */
function wrongName(
  issue: Extract<Issue, { code: "invalid_key" }>,
  context: IssueContext,
): Problem[] {
  const where = context.place(issue.path, "key");
  const message = `${quote(String(issue.path.at(-1)))} can't be a name here`;
  const hint = meansVariables(issue, context)
    ? "Use letters, digits and underscores, beginning with a letter or underscore."
    : NAME_HINT;
  const [inner] = schemaAt(context.schema, issue.path);
  const parsed = inner?.safeParse(valueAt(context.value, issue.path));
  const below = (parsed?.error?.issues ?? []).map((each) => ({
    ...each,
    path: [...issue.path, ...each.path],
  }));
  return [
    { severity: "error", where, message, hint },
    ...below.flatMap((each) => problemsOfIssue(each, context)),
  ];
}

function meansVariables({ path }: Issue, context: IssueContext): boolean {
  const keys = schemaAt(context.schema, path.slice(0, -1)).flatMap((each) => {
    const { keyType } = definitionOf(each);
    return keyType === undefined ? [] : [keyType];
  });
  return keys.length > 0 && !isOf(keys, slug);
}

type UnionIssue = Extract<Issue, { code: "invalid_union" }>;

/** The kind of value that was meant, when only something in it is wrong: its issues, with whole paths. */
function insideOf({ errors, path }: UnionIssue): Issue[] {
  const within = errors.find(
    (issues) => issues.length > 0 && issues.every((each) => each.path.length > 0),
  );
  return (within ?? []).map((each) => ({ ...each, path: [...path, ...each.path] }));
}

function kindsOf({ errors }: UnionIssue): string[] {
  return errors.flatMap(([first]) =>
    first?.code === "invalid_type" ? [TYPE_NAMES[first.expected] ?? first.expected] : [],
  );
}

function unknownKey(key: string, parent: readonly PropertyKey[], context: IssueContext): Problem {
  const known = keysOf(schemaAt(context.schema, parent));
  const near = closest(key, known);
  const inside = parent.length === 0 ? "" : ` in ${parent.map(String).join(".")}`;
  const meant = near === undefined ? "" : ` (did you mean ${quote(near)}?)`;
  return {
    severity: "error",
    where: context.place([...parent, key], "key"),
    message: `unknown key ${quote(key)}${inside}${meant}`,
    ...(near === undefined && known.length > 0 ? { hint: `Known here: ${known.join(", ")}.` } : {}),
  };
}

function reason(issue: Issue, { schema }: IssueContext): string {
  const chain = schemaAt(schema, issue.path);
  switch (issue.code) {
    case "invalid_type":
      if (isOf(chain, durationText)) return "expected a duration such as 90s, 15m, 8h or 3d";
      if (isOf(chain, sizeText)) return "expected a size such as 50MB or 1GiB";
      return `expected ${TYPE_NAMES[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return expectedWords(wordsOf(chain, issue.values));
    case "too_small":
      return `expected ${amount(issue.inclusive === false ? "more than" : "at least", issue.minimum, issue.origin)}`;
    case "too_big":
      return `expected ${amount(issue.inclusive === false ? "less than" : "at most", issue.maximum, issue.origin)}`;
    case "invalid_union":
      return `expected ${kindsOf(issue).join(" or ") || "another kind of value"}`;
    default:
      if (isOf(chain, slug)) return "expected a name";
      return issue.message.startsWith("Invalid") ? "its form is not allowed" : lower(issue.message);
  }
}

function expectedWords(words: readonly string[]): string {
  if (words.length === 0) return "nothing can be written here in this version";
  return `expected ${words.length === 1 ? "" : "one of "}${words.join(", ")}`;
}

function amount(words: string, limit: number | bigint, origin: string): string {
  if (origin === "string") return "some text";
  if (origin === "array") return "a list that isn't empty";
  return `${words} ${limit}`;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let here = value;
  for (const key of path) here = (here as Record<PropertyKey, unknown> | null | undefined)?.[key];
  return here;
}

function show(value: unknown): string {
  if (value === null) return "nothing";
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (typeof value === "object") return "keys with values";
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

function quote(text: string): string {
  return JSON.stringify(text);
}

function lower(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}
