import { type ErrorCode, LoopwrightError, type Problem } from "@loopwright/protocol";
import { CommanderError } from "commander";
import { asCalled } from "./as-called.ts";
import { closest } from "../../control-plane/closest.ts";
import { renderProblem } from "./problems.ts";

interface Told {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly where?: string | undefined;
  readonly problems: readonly Problem[];
  readonly exitCode: number;
}

/** Says what is wrong in one sentence, with what to do, and returns the exit code. */
export function printError(error: unknown, options: { json: boolean; debug: boolean }): number {
  const told = tell(error);
  const debug = options.debug || Boolean(process.env["LOOPWRIGHT_DEBUG"]);
  const { code, message, hint, where, problems } = told;
  if (options.json) {
    const document = { schema_version: 1, error: { code, message, hint, where, problems } };
    process.stdout.write(`${JSON.stringify(document)}\n`);
  }
  const say = (text: string): boolean => process.stderr.write(`${asCalled(text)}\n`);
  for (const problem of problems) say(renderProblem(problem));
  say(`error: ${message} (${code})`);
  if (hint !== undefined) say(`hint: ${hint}`);
  if (debug && error instanceof Error) process.stderr.write(`${error.stack ?? ""}\n`);
  return told.exitCode;
}

function tell(error: unknown): Told {
  if (error instanceof CommanderError) return tellUsage(error);
  if (error instanceof LoopwrightError) {
    const { code, message, hint, where, problems, exitCode } = error;
    return { code, message: withoutDot(message), hint, where, problems, exitCode };
  }
  return {
    code: "UNEXPECTED",
    message: withoutDot(error instanceof Error ? firstLine(error.message) : String(error)),
    hint: "This is a fault of Loopwright. The same command with --debug says where it came from.",
    problems: [],
    exitCode: 1,
  };
}

/** Commander says `error: unknown option '--x'\n(Did you mean --y?)`. */
function tellUsage(error: CommanderError): Told {
  const message = firstLine(error.message).replace(/^error: /, "");
  return {
    code: "USAGE",
    message: withoutDot(message.replaceAll("'", '"')),
    hint: hintOf(error.message) ?? "Run with --help to see what there is.",
    problems: [],
    exitCode: 2,
  };
}

/** Of what commander offers only what is near: it offers `logs` for `bogus`. A hint of ours stays as it is. */
function hintOf(message: string): string | undefined {
  const hint = message.split("\n")[1];
  const offered = /^\(Did you mean (?:one of )?(.*)\?\)$/.exec(hint ?? "")?.[1];
  if (offered === undefined) return hint;
  const near = closest(/'(.*?)'/.exec(message)?.[1] ?? "", offered.split(", "));
  return near === undefined ? undefined : `Did you mean ${near}?`;
}

function firstLine(text: string): string {
  return text.split("\n")[0] ?? text;
}

function withoutDot(text: string): string {
  return text.endsWith(".") && !text.endsWith("..") ? text.slice(0, -1) : text;
}
