import type { SessionRecord } from "../session/open-record.ts";

/** Every verification of a page of iterations, with each check's outcome: the columns of the strip. */
export function checksView(
  session: SessionRecord,
  page: { readonly from: number; readonly to: number; readonly limit: number },
): object {
  const { id, journal } = session;
  const places = journal.verifications();
  const found: (ReturnType<typeof columnOf> & { seq: number; at: string })[] = [];
  let rest = false;
  for (const place of places) {
    const [line] = journal.lines(place, place + 1);
    for (const { type, data } of line?.records ?? []) {
      if (type !== "verification_finished" || line === undefined) continue;
      if (data.iteration < page.from || data.iteration > page.to) continue;
      if (found.length === page.limit) rest = true;
      else found.push({ seq: line.seq, at: line.at, ...columnOf(data) });
    }
    if (rest) break;
  }
  return {
    schema_version: 1,
    session_id: id,
    seq: journal.state().seq,
    checks: session.file().pins.checks.map(({ id: check, description, type, required }) => ({
      id: check,
      description,
      type,
      required,
    })),
    verifications: found,
    next: rest ? (found.at(-1)?.iteration ?? 0) + 1 : null,
  };
}

type Verified = Extract<
  ReturnType<SessionRecord["journal"]["lines"]>[number]["records"][number],
  { type: "verification_finished" }
>["data"];

function columnOf({ kind, iteration, number, receipt, problem, live_ms, cost_usd }: Verified) {
  return {
    kind,
    iteration,
    number,
    outcome: receipt?.outcome ?? "error",
    problem: problem ?? null,
    tree_digest: receipt?.tree_digest ?? null,
    reused: receipt?.reused ?? null,
    /** Protected files that had been changed and were put back. */
    replaced: receipt?.replaced ?? 0,
    live_ms,
    cost_usd,
    checks: (receipt?.checks ?? []).map(({ id, required, outcome, detail }) => ({
      id,
      required,
      outcome,
      detail: detail ?? "",
    })),
  };
}
