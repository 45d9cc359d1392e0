import type { CommanderError } from "commander";

/** For commands that take a text: a word of it that begins with a hyphen looks like an option. */
export function freeText(error: CommanderError): never {
  if (error.code === "commander.unknownOption") error.message += `\n${ADVICE}`;
  throw error;
}

/** The second line of a usage error becomes its hint. */
const ADVICE =
  'Put the text in quotes: loopwright update "Use a -x flag". Put -- before one that begins with a hyphen.';
