/** One thing that was looked at. `fix`: what `--fix` does about it; absent where a person has to. */
export interface Diagnosis {
  readonly state: "ok" | "warning" | "problem";
  readonly what: string;
  /** One sentence. */
  readonly finding: string;
  readonly hint?: string | undefined;
  readonly fix?: () => Promise<string>;
}
