/** What a model server does with one call. A turn is one model call, not one run of an agent. */
export type Turn =
  | { readonly kind: "text"; readonly text: string }
  /** A tool of the CLI that asks, by the CLI's own name for it. */
  | { readonly kind: "tool"; readonly name: string; readonly input: object }
  | {
      readonly kind: "refusal";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** Default: the dialect's own words. */
      readonly body?: object;
    }
  /** Begins to answer, then closes the connection. */
  | { readonly kind: "drop" }
  /** Begins to answer and never ends. */
  | { readonly kind: "hang" };

export type Answer = Extract<Turn, { kind: "text" | "tool" }>;

/** Of one call. `cached` is a part of `input`, `reasoning` of `output`. */
export interface Tokens {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  readonly reasoning: number;
}

/** A call as its path and body tell it. */
export interface Call {
  /** A call that the CLI makes for itself: a title, a summary of its own. It takes no turn of the script. */
  readonly aside: boolean;
  /** Whether the answer is to come as a stream. */
  readonly streams: boolean;
}

/** How one vendor's protocol says all this. Pure. */
export interface Dialect {
  /** Undefined: not a call of the model, such as `HEAD /`. */
  readCall(path: string, body: Readonly<Record<string, unknown>>): Call | undefined;
  /** The events of a stream, in pieces that may be cut apart. The first one alone is the beginning of an answer. */
  stream(answer: Answer, tokens: Tokens, serial: number): string[];
  /** The same in one piece, for a call that doesn't stream. */
  whole(text: string, tokens: Tokens, serial: number): object;
  refusal(status: number, message: string): object;
}

export function say(text: string): Turn {
  return { kind: "text", text };
}

export function use(name: string, input: object): Turn {
  return { kind: "tool", name, input };
}

/** One event of a stream of server-sent events. */
export function event(data: object, name?: string): string {
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}
