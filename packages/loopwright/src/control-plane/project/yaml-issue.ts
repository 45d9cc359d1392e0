import type { Problem } from "@loopwright/protocol";
import type { core, ZodType } from "zod";
import { closest } from "../closest.ts";
import { knownKeys } from "./known-keys.ts";

interface IssueContext {
  readonly schema: ZodType;
  /** The whole value that was checked. */
  readonly value: unknown;
  readonly place: (path: readonly PropertyKey[], target?: "key" | "value") => string;
}

type Issue = core.$ZodIssue;

/** One problem for each thing that a person has to change. */
export function problemsOfIssue(issue: Issue, context: IssueContext): Problem[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => unknownKey(key, issue.path, context));
  }
  if (issue.code === "invalid_key") {
    const key = String(issue.path.at(-1));
    const where = context.place(issue.path, "key");
    return [
      {
        severity: "error",
        where,
        message: `${JSON.stringify(key)} can't be a name here`,
        ...NAME_HINT,
      },
    ];
  }
  if (issue.code === "invalid_union") {
    const inside = insideOf(issue);
    if (inside.length > 0) return inside.flatMap((each) => problemsOfIssue(each, context));
  }
  const found = valueAt(context.value, issue.path);
  const name = issue.path.map(String).join(".");
  const where = context.place(issue.path);
  if (found === undefined && issue.path.length > 0) {
    return [
      { severity: "error", where, message: `${quote(name)} is missing`, ...expectation(issue) },
    ];
  }
  const subject = name === "" ? "the file" : name;
  const message = `${subject}: ${reason(issue)}${found === undefined ? "" : `, found ${show(found)}`}`;
  return [{ severity: "error", where, message, ...suggestion(issue, found) }];
}

type UnionIssue = Extract<Issue, { code: "invalid_union" }>;

/** The kind of value that was meant, when only something in it is wrong: its issues, with whole paths. */
function insideOf({ errors, path }: UnionIssue): Issue[] {
  const meant = errors.find(
    (issues) => issues.length > 0 && issues.every((each) => each.path.length > 0),
  );
  return (meant ?? []).map((each) => ({ ...each, path: [...path, ...each.path] }));
}

function kindsOf({ errors }: UnionIssue): string[] {
  return errors.flatMap(([first]) =>
    first?.code === "invalid_type" ? [TYPE_NAMES[first.expected] ?? first.expected] : [],
  );
}

function unknownKey(key: string, parent: readonly PropertyKey[], context: IssueContext): Problem {
  const known = knownKeys(context.schema, parent);
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

function reason(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return `expected ${TYPE_NAMES[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return issue.values.length === 1
        ? `expected ${show(issue.values[0])}`
        : `expected one of ${issue.values.map(String).join(", ")}`;
    case "too_small":
      return `expected ${amount(issue.inclusive === false ? "more than" : "at least", issue.minimum, issue.origin)}`;
    case "too_big":
      return `expected ${amount(issue.inclusive === false ? "less than" : "at most", issue.maximum, issue.origin)}`;
    case "invalid_format":
      return issue.format === "regex" && issue.message.startsWith("Invalid")
        ? "its form is not allowed"
        : lower(issue.message);
    case "invalid_union":
      return `expected ${kindsOf(issue).join(" or ") || "another kind of value"}`;
    default:
      return lower(issue.message);
  }
}

const TYPE_NAMES: Record<string, string> = {
  string: "text",
  int: "a whole number",
  number: "a number",
  boolean: "true or false",
  object: "keys with values",
  record: "keys with values",
  array: "a list",
};

const NAME_HINT = {
  hint: "Use letters, digits, dots, hyphens and underscores, beginning with a letter or digit.",
};

function amount(words: string, limit: number | bigint, origin: string): string {
  const unit = origin === "string" ? " characters" : origin === "array" ? " entries" : "";
  return `${words} ${limit}${unit}`;
}

/** YAML 1.2 reads `yes` as text and `5` as a number: the mistakes that people make most often get a hint of their own. */
function suggestion(issue: Issue, found: unknown): { hint?: string } {
  if (issue.code === "invalid_value" && typeof found === "string") {
    const near = closest(found, issue.values.map(String));
    if (near !== undefined) return { hint: `Did you mean ${quote(near)}?` };
  }
  if (issue.code !== "invalid_type") return {};
  if (issue.expected === "boolean" && typeof found === "string")
    return { hint: "Write true or false." };
  if (issue.expected === "string" && ["number", "boolean"].includes(typeof found)) {
    return { hint: `Put it in quotes if text is meant: ${quote(String(found))}.` };
  }
  if (issue.expected === "array" && typeof found === "string")
    return { hint: `Write it as a list: [${found}].` };
  return {};
}

function expectation(issue: Issue): { hint?: string } {
  return issue.code === "invalid_type"
    ? { hint: `It takes ${TYPE_NAMES[issue.expected] ?? issue.expected}.` }
    : {};
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let here = value;
  for (const key of path) here = (here as Record<PropertyKey, unknown> | null | undefined)?.[key];
  return here;
}

function show(value: unknown): string {
  if (value === null) return "nothing";
  if (Array.isArray(value)) return "a list";
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
