import type { AgentAdapter } from "../port.ts";
import { findProgram } from "../find-program.ts";
import { createJsonLinesParser } from "./json-lines-parser.ts";
import { createPlainParser } from "./plain-parser.ts";
import { planCommand } from "./plan.ts";

/** Any program: the prompt on stdin or in a file, the output as plain text or in our JSON lines. */
export const commandAdapter: AgentAdapter = {
  id: "command",
  capabilities: { resume: false, usage: true, permissions: false },
  variables: [],
  async probe(settings, env) {
    const program = settings.command?.[0];
    if (program === undefined) return { problem: `Agent "${settings.name}" has no "command".` };
    const path = findProgram(program, env["PATH"] ?? "");
    if (path === undefined)
      return { problem: `The program "${program}" of agent "${settings.name}" was not found.` };
    return { version: null, path };
  },
  plan: planCommand,
  parser: (settings) =>
    settings.dialect === "json-lines" ? createJsonLinesParser() : createPlainParser(),
};
