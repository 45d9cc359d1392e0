import { join } from "node:path";
import { LoopwrightError, receipt } from "@loopwright/protocol";
import { pathSegment } from "../../store/path-segment.ts";
import { readJsonIfPresent } from "../../store/read.ts";
import type { SessionRecord } from "../session/open-record.ts";
import { readSlice } from "./text-file.ts";

/** What a check printed in one verification, by bytes; secrets are redacted. */
export function checkOutputView(
  session: SessionRecord,
  evaluation: { readonly iteration: number; readonly number: number },
  check: string,
  page: { readonly offset: number; readonly limit: number },
): object {
  const { directory, receipt: path } = session.layout.evaluation(
    evaluation.iteration,
    evaluation.number,
  );
  const found = readJsonIfPresent(path, receipt)?.checks.find(({ id }) => id === check);
  if (found === undefined)
    throw new LoopwrightError("CHECK_NOT_FOUND", `No check ${check} ran in that verification`);
  // An agent may have written over the receipt: the name must not lead elsewhere.
  const slice =
    found.output === null
      ? undefined
      : readSlice(
          join(directory, pathSegment(found.output, "name of an output", "FILE_UNSAFE")),
          page.offset,
          page.limit,
        );
  return {
    schema_version: 1,
    session_id: session.id,
    ...evaluation,
    check,
    outcome: found.outcome,
    size: slice?.size ?? 0,
    offset: slice?.offset ?? 0,
    next_offset: slice?.next ?? 0,
    text: slice?.text ?? "",
  };
}
