/** Sessions that play in memory, for tests and benchmarks of this and other packages. */
export * from "./fixtures.ts";
export * from "./play.ts";
export * from "./random-rules.ts";
export * from "./random-session.ts";
export * from "./seeded-dice.ts";
export * from "./steady-session.ts";
