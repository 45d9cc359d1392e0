import { checksAge, type State } from "@loopwright/engine";
import {
  endingText,
  type JournalLine,
  type JournalRecord,
  plural,
  type RecordData,
  type SessionFile,
} from "@loopwright/protocol";
import { attentionOf, projectLines } from "../control-plane/projection/index.ts";

/** The most iterations that are listed one by one; the newest ones. */
const LISTED = 40;

/** What was done, what wasn't, why it stopped, what it cost, what needs you, and where to go back to. Markdown. */
export function reportText(state: State, file: SessionFile, lines: readonly JournalLine[]): string {
  const records = lines.flatMap((line) => line.records);
  return [
    `# ${file.title === "" ? file.goal_id : file.title}`,
    "",
    `Session \`${state.session_id}\` of goal \`${state.goal_id}\`, ${state.started_at} to ${state.updated_at}.`,
    "",
    "## Why it stopped",
    "",
    headline(state),
    "",
    "## What was done",
    "",
    ...done(records),
    "",
    "## What was not",
    "",
    ...undone(state),
    "",
    "## Cost",
    "",
    ...cost(state),
    "",
    "## What needs you",
    "",
    ...needs(state, file, lines),
    "",
    "## Undo point",
    "",
    undo(file),
    "",
  ].join("\n");
}

function headline(state: State): string {
  const verified =
    state.verified === true ? ", verified" : state.verified === false ? ", **not verified**" : "";
  return `**${endingText(state.status, state.stop_reason)}**${verified}. ${oneLine(state.stop_detail ?? "")}`.trim();
}

function done(records: readonly JournalRecord[]): string[] {
  const finished = records.flatMap((record) =>
    record.type === "task_finished" ? [record.data] : [],
  );
  if (finished.length === 0) return ["No iteration finished."];
  const shown = finished.slice(-LISTED);
  const before = finished.length - shown.length;
  return [
    ...(before > 0 ? [`- ${plural(before, "earlier iteration")}: \`loopwright timeline\``] : []),
    ...shown.flatMap(iteration),
  ];
}

function iteration(data: RecordData<"task_finished">): string[] {
  const mark = data.succeeded
    ? ""
    : ` — ${data.outcome}${data.failure === undefined ? "" : `: ${oneLine(data.failure)}`}`;
  const report = data.report.state === "valid" ? data.report.value : undefined;
  const changes =
    data.changes === null || data.changes.files_changed === 0
      ? ""
      : ` (${plural(data.changes.files_changed, "file")}, +${data.changes.insertions} −${data.changes.deletions})`;
  const summary = report === undefined ? "no valid report" : oneLine(report.summary);
  const evidence = (report?.evidence ?? []).slice(0, 5).map(({ claim, command, path }) => {
    const source =
      command === undefined
        ? path === undefined
          ? ""
          : ` (${code(path)})`
        : ` (${code(command)})`;
    return `  - ${oneLine(claim)}${source}`;
  });
  return [`- ${data.iteration} \`${data.workflow_id}\`${mark}: ${summary}${changes}`, ...evidence];
}

function undone(state: State): string[] {
  const checks = state.gate.last?.receipt.checks.filter(({ outcome }) => outcome !== "pass") ?? [];
  const lines = checks.map(
    ({ id, outcome, detail }) =>
      `- Check \`${id}\`, ${checksAge(state)}: ${outcome}${detail === undefined ? "" : `, ${oneLine(detail)}`}`,
  );
  const inputs = state.inputs.map(
    ({ text, delivered }) =>
      `- Guidance that ${delivered.length === 0 ? "reached no iteration" : "no iteration has dealt with"}: ${oneLine(text)}`,
  );
  const claim =
    state.claim === null
      ? []
      : [`- The claim of iteration ${state.claim.iteration} waits for its verdict.`];
  const all = [...lines, ...inputs, ...claim];
  if (all.length > 0) return all;
  return [
    state.status === "goal_met"
      ? "Nothing that a check would know of."
      : "Whatever the goal still asks for: no check says more.",
  ];
}

function cost({ spent, iterations, limits }: State): string[] {
  const unknown = (count: number): string =>
    count === 0 ? "" : ` (unknown for ${plural(count, "iteration")})`;
  return [
    `- ${iterations} of at most ${plural(limits.max_iterations, "iteration")}, ${duration(spent.live_ms)} of work`,
    `- ${plural(spent.tokens, "token")}${unknown(spent.unknown_tokens)}`,
    `- ${spent.cost_usd.toFixed(2)} USD${unknown(spent.unknown_cost)}`,
  ];
}

function needs(state: State, file: SessionFile, lines: readonly JournalLine[]): string[] {
  const items = attentionOf({
    goalId: state.goal_id,
    session: projectLines({ state, file, troubles: [] }, lines, Date.parse(state.updated_at)),
    phase: "ended",
    coordinator: { liveness: "alive" },
    strayAgent: null,
  });
  if (items.length === 0) return ["Nothing."];
  return items.map(({ text, question, next_command }) => {
    const asked = question === undefined ? "" : `: ${oneLine(question.text)}`;
    const command = next_command === null ? "" : ` → \`${next_command}\``;
    return `- ${oneLine(text)}${asked}${command}`;
  });
}

function undo({ repository, base_commit, base_tree }: SessionFile): string {
  const tree = base_tree === null ? "" : ` (tree \`${base_tree}\`)`;
  if (base_commit === null) return `${repository} had no commit when the session started${tree}.`;
  return `The session started from commit \`${base_commit}\` in ${repository}${tree}: \`git diff ${base_commit}\` shows all that changed since.`;
}

function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** An agent's words in our document: one line, no headings, no HTML, no escape sequences. */
function oneLine(text: string): string {
  const plain = text.replace(/[\p{Cc}\s]+/gu, " ").trim();
  const cut = Array.from(plain).slice(0, 400).join("");
  return cut
    .replace(/[<>]/g, (sign) => (sign === "<" ? "&lt;" : "&gt;"))
    .replace(/([\\`*_[\]])/g, "\\$1");
}

function code(text: string): string {
  return `\`${text
    .replace(/[\p{Cc}`\s]+/gu, " ")
    .trim()
    .slice(0, 200)}\``;
}
