import type { Token } from "./reading/action.ts";
import { stem } from "./words/stem.ts";

/** The same word under the same number of negations. */
export function sameToken(one: Token, other: Token): boolean {
  return (
    one.negators.length === other.negators.length &&
    one.contrast === other.contrast &&
    (one.text === other.text || sameGerund(one, other))
  );
}

/** `avoid deploying` and `do not deploy`: only behind negations, where the form follows from the negator. */
function sameGerund(one: Token, other: Token): boolean {
  return (
    one.negators.length > 0 &&
    (one.gerund || other.gerund) &&
    one.text !== "" &&
    stem(one.text) === stem(other.text)
  );
}
