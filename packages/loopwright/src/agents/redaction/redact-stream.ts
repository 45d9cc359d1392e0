import type { Redactor } from "./redactor.ts";
import { replaceSpans } from "./redactor.ts";

export interface TextStream {
  /** What is settled by now; a secret that may go on in the next chunk is held back. */
  push(text: string): string;
  end(): string;
}

/** More than the shortest match of every shape, so that whatever begins before the cut is seen. */
const HELD = 8_192;
/** A "secret" longer than this is cut: memory stays bounded. */
const LONGEST = 65_536;

/** Redacts a text that comes in chunks as if it had come at once. */
export function redactStream(redactor: Redactor): TextStream {
  let held = "";
  return {
    push(text) {
      held += text;
      if (held.length <= 2 * HELD) return "";
      const spans = redactor.spans(held);
      let cut = held.length - HELD;
      const across = spans.find(([start, end]) => start < cut && end > cut);
      if (across !== undefined) cut = across[1] - across[0] > LONGEST ? across[1] : across[0];
      const settled = replaceSpans(
        held.slice(0, cut),
        spans.filter(([, end]) => end <= cut),
      );
      held = held.slice(cut);
      return settled;
    },
    end() {
      const rest = redactor.text(held);
      held = "";
      return rest;
    },
  };
}
