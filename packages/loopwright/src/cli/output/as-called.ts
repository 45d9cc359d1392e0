/** The commands that texts tell people to run; a test compares them with those that there are. */
export const COMMANDS = [
  "answer",
  "archive",
  "check",
  "coordinator",
  "demo",
  "doctor",
  "drift",
  "events",
  "explain",
  "goal",
  "import",
  "init",
  "logs",
  "pause",
  "refresh",
  "resolve",
  "resume",
  "run",
  "serve",
  "show",
  "status",
  "stop",
  "timeline",
  "update",
  "validate",
  "verify",
  "worker",
];

const NAMED = new RegExp(`(?<![\\w./-])loopwright(?= (?:-C |(?:${COMMANDS.join("|")})\\b))`, "g");

/** How this program was called, as a shell reads it: what `./dev` says of itself, else `loopwright`. */
export function calledAs(environment: NodeJS.ProcessEnv = process.env): string {
  return environment["LOOPWRIGHT_COMMAND"] || "loopwright";
}

/** A text for people with each command that it names (`loopwright run`) as they can type it here. */
export function asCalled(text: string, environment: NodeJS.ProcessEnv = process.env): string {
  const called = calledAs(environment);
  return called === "loopwright" ? text : text.replaceAll(NAMED, () => called);
}
