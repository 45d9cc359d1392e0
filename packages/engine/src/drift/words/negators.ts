/** Words that forbid, deny or exclude what follows. Languages that mix with English words are kept apart by spelling. */
export const NEGATORS: ReadonlySet<string> = new Set(
  [
    "not never no none nothing nobody nowhere neither nor without avoid avoids avoiding skip skips skipping omit omits",
    "omitting except excluding unless refrain cannot forbid forbids forbidden prohibit prohibits prohibited w/o non hardly barely scarcely seldom rarely ! 🚫 ⛔ ❌",
    // Apostrophes get lost.
    "dont doesnt didnt cant wont isnt arent wasnt werent shouldnt mustnt couldnt wouldnt hasnt havent hadnt neednt aint",
    "nicht kein keine keinen keinem keiner keines nie niemals nirgends ohne weder vermeide vermeiden vermeidet",
    "unterlasse unterlassen nichts außer verzichte verzichten",
    "ne pas jamais rien aucun aucune sans éviter évite évitez ni sauf",
    "nunca jamás jamas tampoco ningún ninguna ninguno sin evitar evita evite excepto salvo",
    "não nao nem sem evitando senza evitare evita niente nessuno nessuna",
    "niet geen nooit zonder vermijd inte ikke ej aldrig aldri utan uten uden ingen inget undvik",
    "не нет нельзя никогда без ни избегать избегай ні немає",
    "nie bez nigdy żaden nikdy hayır değil olmadan asla",
    "không đừng chớ chưa jangan tidak tanpa bukan belum",
    "μην μη δεν όχι χωρίς ποτέ älä älkää ei nem soha nélkül",
    "לא אל בלי אין ללא لا لم لن ليس بدون غير मत नहीं बिना ना",
    "안 못 금지 없이 마 마세요 마라 마시오 말 말고 말것 말아 말라 않는다 않고 않기 않도록 아닌",
  ]
    .join(" ")
    .split(" "),
);

/** Two or three words that negate together. */
export const NEGATING_PHRASES: readonly string[] = [
  "no longer",
  "not any longer",
  "not any more",
  "nicht mehr",
  "refrain from",
  "hold off on",
  "abstain from",
  "all but",
  "everything but",
  "anything but",
  "apart from",
  "aside from",
  "other than",
  "hör auf",
  "höre auf",
  "deja de",
  "dejar de",
  "deje de",
  "arrête de",
  "arrêter de",
  "arrêtez de",
  "cesse de",
  "pare de",
  "smettere di",
  "smetti di",
  "ya no",
];

/** They set apart what is not meant: `sqlite instead of postgres` still refines `sqlite`. */
export const CONTRASTS: readonly string[] = [
  "instead of",
  "rather than",
  "anstelle von",
  "anstatt",
  "statt",
  "au lieu de",
  "plutôt que",
  "en lugar de",
  "en vez de",
  "em vez de",
  "invece di",
];

/** `stop deploying` forbids; `stop the server` is an action. */
export const CEASING: ReadonlySet<string> = new Set("stop stops quit cease discontinue".split(" "));

/** Negators that a gerund follows: `avoid deploying` says what `do not deploy` says. */
export const BEFORE_GERUND: ReadonlySet<string> = new Set(
  "avoid avoids avoiding without skip skips".split(" "),
);

/** The second half of the French `ne … pas`. */
export const AFTER_NE: ReadonlySet<string> = new Set(
  "pas plus jamais rien aucun aucune point".split(" "),
);

/** They carry a `not` and say nothing beside it: `do not`, `must not`, `won't`. */
export const AUXILIARIES: ReadonlySet<string> = new Set(
  "do does did will wo ca can could should shall sha must would need ought to".split(" "),
);

/** They strengthen a negator: `never again`, `not ever`. */
export const AFTER_NEGATOR: ReadonlySet<string> = new Set("ever again even any".split(" "));
