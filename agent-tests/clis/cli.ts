import type { Dialect, Turn } from "../servers/turn.ts";

/** What the scenarios have to know about one CLI. */
export interface Cli {
  /** Of its adapter. */
  readonly name: string;
  readonly version: string;
  readonly dialect: Dialect;
  /** Fields of the agent in `loopwright.yaml` that point it at a model server and keep its own retries short. */
  settings(server: string): Readonly<Record<string, unknown>>;
  readonly tools: {
    /** `path` is absolute. */
    write(path: string, text: string): Turn;
    shell(command: string): Turn;
  };
  /** How its provider says that the account is used up until then. */
  limited(until: Date): Turn;
  /** What it doesn't pass on to whoever runs it. */
  readonly hides: ReadonlySet<"reset" | "refusals">;
  /**
   * A user's own setting that makes the CLI start a program: path below the home to text. The program leaves `witness`.
   */
  plant(witness: string): Readonly<Record<string, string>>;
}
