/** Behind a number they make another number of it. */
export const MULTIPLIERS: ReadonlySet<string> = new Set(
  "% percent hundred thousand million billion dozen prozent tausend millionen mille millions mil millones 百 千 万 萬 亿 億".split(
    " ",
  ),
);

/** Units that people write with or without a space: `10MB` is `10 MB`. Single letters could be part of a name. */
export const UNITS: ReadonlySet<string> = new Set(
  [
    "s ms sec secs min mins hr hrs day days week weeks kb mb gb tb kib mib gib tib hz khz mhz ghz px em rem pt fps cm mm km",
    "kg mg ml rpm rps qps kbit mbit gbit usd eur",
  ]
    .join(" ")
    .split(" "),
);
