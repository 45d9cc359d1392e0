import { BODY_LIMIT, type Result, TEXT_LIMIT } from "@loopwright/protocol";
import { firstOf, lastOf } from "../agents/text-tail.ts";

/** Room for the fields that the report to the coordinator has besides. Bytes. */
const ENVELOPE = 64 * 1024;

/**
 * A result that surely fits into a report: its long texts are halved until it does. Escapes make a text up to six
 * times as long, and 32 child requests may have 64 KiB each.
 */
export function fitResult(result: Result, limit: number = BODY_LIMIT - ENVELOPE): Result {
  let fitted = result;
  for (let most = TEXT_LIMIT / 2; size(fitted) > limit && most >= 256; most /= 2)
    fitted = shorten(result, most);
  return fitted;
}

function size(result: Result): number {
  return Buffer.byteLength(JSON.stringify(result));
}

function shorten(result: Result, most: number): Result {
  return {
    ...result,
    text: lastOf(result.text, most),
    report: cut(result.report, most),
    goal_check: cut(result.goal_check, most),
    control: cut(result.control, most),
    child_requests: result.child_requests.map(({ name, document }) => ({
      name,
      document: cut(document, most),
    })),
  };
}

type Document =
  | Result["report"]
  | Result["goal_check"]
  | Result["control"]
  | Result["child_requests"][number]["document"];

/** A valid document is never altered: too long, it is kept as text with the reason. */
function cut<D extends Document>(document: D, most: number): D {
  if (document.state === "absent") return document;
  if (document.state === "invalid") {
    return document.text === undefined
      ? document
      : { ...document, text: firstOf(document.text, most) };
  }
  const text = JSON.stringify(document.value);
  if (text.length <= 4 * most) return document;
  return {
    state: "invalid",
    reason: "is too long to be reported with the rest",
    text: firstOf(text, most),
  } as D;
}
