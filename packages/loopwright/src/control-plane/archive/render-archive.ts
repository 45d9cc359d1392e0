import type { ArchivePayload, MovePayload, RestorePayload } from "./payload.ts";

/** An archive payload as Markdown for people. */
export function renderArchiveMarkdown(payload: ArchivePayload): string {
  return render("Archive", payload, [
    ["registered", payload.registry_member ? "yes" : "no"],
    ["from", payload.source],
    ["to", payload.archive_path],
    ["result", resultOf(payload)],
  ]);
}

/** A restore payload as Markdown for people. */
export function renderRestoreMarkdown(payload: RestorePayload): string {
  return render("Restore", payload, [
    ["from", payload.source],
    ["to", payload.restored_path],
    ["result", resultOf(payload)],
  ]);
}

function render(
  title: string,
  { goal_id: id, checks }: MovePayload,
  rows: readonly (readonly [string, string])[],
): string {
  return [
    `# ${title} ${plain(id)}`.trimEnd(),
    "",
    ...rows
      .filter(([, value]) => value !== "")
      .map(([name, value]) => `- ${name}: ${plain(value)}`),
    "",
    "## Checks",
    "",
    ...checks.map(({ ok, detail }) => `- [${ok ? "x" : " "}] ${plain(detail)}`),
  ].join("\n");
}

function resultOf({ ok, action }: MovePayload): string {
  if (!ok) return "refused, nothing was changed";
  return action === "moved" ? "moved" : "nothing was changed; this is what would happen";
}

/** An id or a path may hold anything; here it stays on its line. */
function plain(text: string): string {
  const line = text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, " ");
  return line.length > 500 ? `${line.slice(0, 500)}…` : line;
}
