/** One thing that doesn't agree with another. */
export interface Finding {
  readonly source: "journal" | "files" | "processes" | "git";
  /** Where: `journal.jsonl line 12`, a path, a process. */
  readonly where: string;
  /** One sentence: what is, and what it should be. */
  readonly message: string;
}
