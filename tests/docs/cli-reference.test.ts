import { expect, test } from "vitest";
import { createProgram } from "../../packages/loopwright/src/cli/program.ts";

type Program = ReturnType<typeof createProgram>;
type Option = Program["options"][number];

test("the reference of the command line says what --help says (run with -u to write it again)", async () => {
  await expect(reference(createProgram({ exitCode: 0 }))).toMatchFileSnapshot(
    "../../docs/reference/cli.md",
  );
});

function reference(program: Program): string {
  const help = program.createHelp();
  const sections = commandsBelow(program).map((command) => {
    const usage = help.commandUsage(command);
    return [
      `## ${usage.replace(/^loopwright (.*?)(?: [[<].*)?$/, "$1")}`,
      help.commandDescription(command),
      `\`\`\`text\n${usage}\n\`\`\``,
      ...table(
        help
          .visibleArguments(command)
          .map((argument) => [help.argumentTerm(argument), help.argumentDescription(argument)]),
      ),
      ...optionTable(help.visibleOptions(command)),
    ].join("\n\n");
  });
  return `${[
    "# The command line",
    "`loopwright`, short `lw`; from a checkout `./dev lw`. SESSION is a full id, the beginning of one, or `latest`.",
    EXIT_CODES,
    "## Options of every command",
    ...optionTable(help.visibleOptions(program)),
    ...sections,
  ].join("\n\n")}\n`;
}

/** Commands and theirs: `archive`, `archive list`. */
function commandsBelow(program: Program): Program[] {
  return program.commands.flatMap((command) =>
    command.name() === "help" ? [] : [command, ...commandsBelow(command)],
  );
}

const EXIT_CODES = `## Exit codes

| code | meaning |
|---|---|
| 0 | done; for \`run\` and \`resume\`: the goal is met |
| 1 | failed; for \`check\` and \`verify\`: a failure or a disagreement |
| 2 | wrong usage |
| 3 | refused: somebody else holds it, or it would lose something |
| 4 | not found |
| 5 | invalid configuration or state, the baseline included |
| 10 | the session is \`stopped\` |
| 11 | the session is \`failed\` |
| 129 | the terminal went away; coordinator and worker of a \`run\` go on |
| 130 | interrupted before a stop was recorded |
| 141 | the reader of its output went away before the end (\`run \\| head\`), so that this code says nothing else; commands that only show something end with 0 then |

An error is one sentence with its code (see [Errors](errors.md)) and, where there is one, a hint; with \`--json\` it is also
one document on stdout.`;

function optionTable(options: readonly Option[]): string[] {
  return table(
    options
      .filter(({ long }) => long !== "--help")
      .map((option) => {
        const preset =
          typeof option.defaultValue === "string" ? ` (default: ${option.defaultValue})` : "";
        return [option.flags, `${option.description}${preset}`.replaceAll("<", "&lt;")];
      }),
  );
}

function table(rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  return [
    ["| | |", "|---|---|", ...rows.map(([term, text]) => `| \`${term}\` | ${text} |`)].join("\n"),
  ];
}
