/**
 * Words that never change what is asked. A word is here only if no other word of the list could stand for the opposite
 * (so no `ein`, which can mean `on`).
 */
export const FILLERS: ReadonlySet<string> = new Set(
  [
    "the please kindly just simply",
    "der die das den dem des eine einen einem einer eines bitte",
    "le la les une el los las una",
  ]
    .join(" ")
    .split(" "),
);

/**
 * Articles that are names elsewhere (`from A to B`, `schalte … an`): they may be missing only where nothing else stands
 * in their place.
 */
export const ARTICLES: ReadonlySet<string> = new Set(["a", "an"]);

/** How a sentence starts before it says what to do. Longest first. */
export const LEAD_INS: readonly string[] = [
  "the next step is to",
  "next step is to",
  "your task is to",
  "por favor",
  "s'il vous plaît",
  "let us",
  ...["we", "you", "i"].flatMap((who) =>
    ["need to", "have to", "want to", "should", "must", "will", "shall"].map(
      (how) => `${who} ${how}`,
    ),
  ),
  "need to",
  "please",
  "then",
  "next",
  "now",
  "first",
  "finally",
  "also",
  "we",
  "you",
  "todo",
];

/** The same for scripts without spaces. */
export const UNSPACED_LEAD_INS: readonly string[] = [
  "接下来",
  "下一步",
  "然后",
  "接着",
  "现在",
  "首先",
  "まず",
  "次に",
  "请",
  "請",
  "先",
];
