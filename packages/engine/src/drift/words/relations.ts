/** Words that give the next word its role: in `to production`, nothing of its own may come between the two. */
export const RELATIONS: ReadonlySet<string> = new Set(
  [
    "to from into onto with by for of in on at over under before after via through between against as than off out",
    "von nach zu zum zur mit durch auf aus vor für bis gegen",
    "de du à au vers par avec dans sur avant après pour contre",
    "con en desde hasta para por antes después a",
    "в из на от до с перед после",
    "= := -> => > < <- <= >= ==",
  ]
    .join(" ")
    .split(" "),
);

/** Words that start another thing. */
export const CONJUNCTIONS: ReadonlySet<string> = new Set(
  "and or then but und oder dann et ou puis y o e luego и или".split(" "),
);

/** Between two numbers they make a range or a choice. */
export const RANGES: ReadonlySet<string> = new Set("or to - bis oder ou à o a hasta".split(" "));

/** Before a range they tell where it starts: in `from 5 to 10` the 10 is the value meant. */
export const RANGE_STARTS: ReadonlySet<string> = new Set("from von de desde".split(" "));

/** Particles of scripts without spaces: they say nothing about what two texts have in common. */
export const PARTICLES: ReadonlySet<string> = new Set("的了把将在到和与をにのはがでとへもる");
