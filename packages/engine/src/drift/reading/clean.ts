/**
 * A text with one spelling for what looks the same: compatibility forms, quotes, apostrophes, invisible characters,
 * comments. Letters keep their case, so that differences can be shown as they were written.
 */
export function clean(text: string): string {
  return (
    withoutComments(text)
      // `10²` isn't 102, and `1½` isn't 11/2.
      .replace(/(?<=[\p{L}\p{N}])\p{No}/gu, "_$&")
      // Ordering marks takes quadratic time.
      .replace(/\p{M}{16}(?=\p{M})/gu, "$& ")
      .normalize("NFKC")
      .replace(/[\p{Cf}\uFE00-\uFE0F]/gu, "")
      .replace(/\p{Cc}/gu, " ")
      .replace(/[“”„‟«»‹›「」『』《》″]/gu, '"')
      .replace(/[’‘‚‛′＇ʼ´]/gu, "'")
  );
}

/** Case folding in both directions, so that `ß` and `SS`, `ı` and `I`, `ς` and `Σ` meet. */
export function fold(word: string): string {
  return word.toUpperCase().toLowerCase().normalize("NFC").replaceAll("ς", "σ");
}

/** By hand: a regular expression would look through the whole rest for each comment that nobody closed. */
function withoutComments(text: string): string {
  const kept: string[] = [];
  let from = 0;
  for (;;) {
    const start = text.indexOf("<!--", from);
    const end = start === -1 ? -1 : text.indexOf("-->", start + 4);
    if (end === -1) break;
    kept.push(text.slice(from, start), " ");
    from = end + 3;
  }
  kept.push(text.slice(from));
  return kept.join("");
}
