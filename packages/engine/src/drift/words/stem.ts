/** A crude stem: only to explain a difference and to find `deploy` in `avoid deploying`, never to call two words equal. */
export function stem(word: string): string {
  let cut = word;
  for (const ending of ["ing", "ed", "es", "s"]) {
    if (word.length >= ending.length + 3 && word.endsWith(ending)) {
      cut = word.slice(0, -ending.length);
      break;
    }
  }
  if (cut.length > 2 && cut.at(-1) === cut.at(-2)) cut = cut.slice(0, -1);
  return cut.length > 3 && cut.endsWith("e") ? cut.slice(0, -1) : cut;
}
