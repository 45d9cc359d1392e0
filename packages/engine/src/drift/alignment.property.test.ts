import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { actionsAreAligned, compareActions } from "./compare-actions.ts";

const VERBS = ["write", "fix", "deploy", "refactor", "migrate", "benchmark", "review", "publish"];
const NOUNS = [
  "parser",
  "importer",
  "login",
  "`loadUser`",
  "src/main.ts",
  '"Fast mode"',
  "12",
  "30 MB",
  "v1.2.3",
  "--force",
  "数据库",
  "Tests",
];
const JOINS = ["to", "from", "for", "in", "and", "with", "before", "a", "the"];
const NEGATIONS = [
  "do not",
  "don't",
  "don’t",
  "never",
  "not",
  "avoid",
  "without",
  "no longer",
  "refrain from",
  "must not",
  "nicht",
  "kein",
  "sin",
  "nunca",
  "jamais",
  "не",
  "不要",
];
const PREFIXES = [
  "[P1] ",
  "P2: ",
  "todo_ab12: ",
  "Agent: ",
  "- [ ] ",
  "1. ",
  "(you) ",
  "Next action: ",
  "**P0**: ",
];

const word = fc.constantFrom(...VERBS, ...NOUNS, ...JOINS);
const words = fc
  .tuple(fc.constantFrom(...VERBS), fc.array(word, { maxLength: 12 }))
  .map(([verb, rest]) => [verb, ...rest]);
const action = words.map((parts) => parts.join(" "));
const anyText = fc.oneof(
  action,
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.string({ unit: "binary", maxLength: 60 }),
);

function verdictOf(a: string, b: string): string {
  const comparison = compareActions(a, b);
  return comparison.verdict === "diverged" ? comparison.divergence : comparison.verdict;
}

describe("comparing two actions", () => {
  it("is symmetric", () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        expect(verdictOf(a, b)).toBe(verdictOf(b, a));
      }),
    );
  });

  it("finds every text aligned with itself, unless it says nothing", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(verdictOf(text, text)).toBeOneOf(["aligned", "empty"]);
      }),
    );
  });

  it("doesn't look at case", () => {
    fc.assert(
      fc.property(anyText, action, (text, other) => {
        expect(verdictOf(text.toUpperCase(), text)).toBeOneOf(["aligned", "empty"]);
        expect(verdictOf(other.toUpperCase(), text)).toBe(verdictOf(other, text));
      }),
    );
  });

  it("doesn't look at white space, nor at punctuation around words", () => {
    const space = fc.constantFrom(" ", "  ", "\n", "\t ", ", ", "; ", " — ", "… ", ". ");
    const end = fc.constantFrom("", ".", "!", "?", "…", " .", ";", "!!!");
    fc.assert(
      fc.property(
        words,
        fc.array(space, { minLength: 13, maxLength: 13 }),
        end,
        action,
        (parts, spaces, last, other) => {
          const plain = parts.join(" ");
          const spaced = parts
            .map((part, at) => part + (at < parts.length - 1 ? spaces[at] : last))
            .join("");
          expect(verdictOf(spaced, plain)).toBe("aligned");
          expect(verdictOf(spaced, other)).toBe(verdictOf(plain, other));
        },
      ),
    );
  });

  it("doesn't look at prefixes of todos, priorities and roles", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...PREFIXES), { maxLength: 4 }),
        anyText,
        anyText,
        (prefixes, a, b) => {
          expect(verdictOf(prefixes.join("") + a, b)).toBe(verdictOf(a, b));
        },
      ),
    );
  });

  it("never finds a text aligned with its negation, wherever that stands", () => {
    fc.assert(
      fc.property(words, fc.constantFrom(...NEGATIONS), fc.nat(), (parts, negation, where) => {
        const at = where % parts.length;
        const negated = [...parts.slice(0, at), negation, ...parts.slice(at)].join(" ");
        expect(actionsAreAligned(parts.join(" "), negated)).toBe(false);
        expect(compareActions(parts.join(" "), negated)).toMatchObject({ divergence: "negated" });
      }),
    );
  });

  it("never finds a text aligned with one that has another word in its place", () => {
    const significant = fc.constantFrom(...VERBS, ...NOUNS);
    fc.assert(
      fc.property(words, fc.nat(), significant, significant, (parts, where, one, other) => {
        fc.pre(one !== other);
        const at = 1 + (where % parts.length);
        const put = (piece: string): string =>
          [...parts.slice(0, at), piece, ...parts.slice(at)].join(" ");
        expect(actionsAreAligned(put(one), put(other))).toBe(false);
      }),
    );
  });

  it("never finds a text aligned with one in which two different words changed places", () => {
    fc.assert(
      fc.property(words, fc.nat(), fc.nat(), (parts, one, other) => {
        const [i, j] = [one % parts.length, other % parts.length];
        fc.pre(parts[i] !== parts[j]);
        const silent = new Set(["a", "the"]);
        fc.pre(!silent.has(parts[i]!) && !silent.has(parts[j]!));
        const swapped = parts.map((part, at) =>
          at === i ? parts[j]! : at === j ? parts[i]! : part,
        );
        expect(actionsAreAligned(parts.join(" "), swapped.join(" "))).toBe(false);
      }),
    );
  });

  it("finds what is cut off at the end of a text aligned with it", () => {
    fc.assert(
      fc.property(
        action,
        fc.constantFrom("parser", "importer", "in the dashboard", "with tests"),
        (text, more) => {
          expect(verdictOf(text, `${text} ${more}`)).toBe("aligned");
        },
      ),
    );
  });

  it("shows what differs whenever it finds a difference", () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        const comparison = compareActions(a, b);
        if (comparison.verdict !== "diverged") return;
        const { only_in_a, only_in_b } = comparison.differing;
        expect(only_in_a.length + only_in_b.length).toBeGreaterThan(0);
        for (const part of [...only_in_a, ...only_in_b]) expect(part.trim()).not.toBe("");
      }),
    );
  });
});

describe("comparing texts of 100 KB", () => {
  const SIZE = 100_000;
  const seeds = [
    "fix the parser to ",
    "a",
    "to ",
    "`",
    "``",
    '"',
    "' ",
    "<!--",
    "[P1] ",
    "[x",
    "[docs] ",
    "not ",
    "不",
    "数据",
    "!",
    "!!!a",
    "-",
    "./",
    "*",
    "**",
    "(",
    "1,",
    "1 or ",
    "n't ",
    "ne pas ",
    "e\u0301\u0323",
    "\u0301",
    "\u0327\u0301",
    "\u200d",
    "🚀",
    "\ud800",
    "to a ",
    '"fast mode" ',
  ];
  it.each(seeds)("takes no longer for %j than for other texts", (seed) => {
    const text = seed.repeat(Math.ceil(SIZE / seed.length));
    const before = process.cpuUsage();
    compareActions(text, `${text} end`);
    compareActions(`fix ${text} begin`, `fix ${text} end`);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(5000);
  });
});
