/**
 * Every error that Loopwright shows: one code, one row. A row says how a process exits with it and which HTTP status
 * it becomes. `docs/reference/errors.md` lists the same codes; a test compares the two.
 *
 * Exit codes: 1 failed, 2 usage, 3 refused, 4 not found, 5 invalid configuration or state.
 */
export const ERROR_TABLE = {
  USAGE: { exit: 2, status: 400, retryable: false },
  UNEXPECTED: { exit: 1, status: 500, retryable: false },
  NODE_TOO_OLD: { exit: 5, status: 500, retryable: false },

  CONFIGURATION_INVALID: { exit: 5, status: 422, retryable: false },
  CONFIGURATION_MISSING: { exit: 4, status: 404, retryable: false },
  REGISTRY_INVALID: { exit: 5, status: 422, retryable: false },
  GOAL_ID_INVALID: { exit: 2, status: 400, retryable: false },
  GOAL_ID_TAKEN: { exit: 3, status: 409, retryable: false },
  GOAL_NOT_FOUND: { exit: 4, status: 404, retryable: false },
  GOAL_REGISTERED: { exit: 3, status: 409, retryable: false },
  GOAL_DISABLED: { exit: 3, status: 409, retryable: false },
  GOAL_ARCHIVED: { exit: 3, status: 409, retryable: false },
  ARCHIVE_NOT_FOUND: { exit: 4, status: 404, retryable: false },
  ARCHIVE_AMBIGUOUS: { exit: 2, status: 400, retryable: false },
  ARCHIVE_UNFINISHED: { exit: 3, status: 409, retryable: false },
  PLACE_TAKEN: { exit: 3, status: 409, retryable: false },
  FOREIGN_PROJECT: { exit: 3, status: 409, retryable: false },
  SESSION_NOT_FOUND: { exit: 4, status: 404, retryable: false },
  SESSION_AMBIGUOUS: { exit: 2, status: 400, retryable: false },
  ITERATION_NOT_FOUND: { exit: 4, status: 404, retryable: false },
  QUESTION_NOT_FOUND: { exit: 4, status: 404, retryable: false },
  INPUT_NOT_FOUND: { exit: 4, status: 404, retryable: false },
  CHECK_NOT_FOUND: { exit: 4, status: 404, retryable: false },
  SESSION_ENDED: { exit: 3, status: 409, retryable: false },
  LIMIT_REACHED: { exit: 3, status: 409, retryable: false },
  SESSION_RUNNING: { exit: 3, status: 409, retryable: false },
  INSIDE_ATTEMPT: { exit: 3, status: 403, retryable: false },

  SCHEMA_NEWER: { exit: 5, status: 422, retryable: false },
  FILE_INVALID: { exit: 5, status: 422, retryable: false },
  FILE_UNSAFE: { exit: 5, status: 422, retryable: false },
  JOURNAL_DAMAGED: { exit: 5, status: 500, retryable: false },
  DISK_FULL: { exit: 1, status: 503, retryable: true },
  DISK_FAILED: { exit: 1, status: 503, retryable: true },

  LOCK_HELD: { exit: 3, status: 409, retryable: true },
  LOCK_UNKNOWN_HOLDER: { exit: 3, status: 409, retryable: true },
  LOCK_LOST: { exit: 3, status: 503, retryable: true },
  CHECKOUT_HELD: { exit: 3, status: 409, retryable: true },

  SEAT_TAKEN: { exit: 3, status: 409, retryable: true },
  SEAT_UNKNOWN: { exit: 3, status: 409, retryable: true },
  LEFTOVERS_ALIVE: { exit: 3, status: 409, retryable: true },
  STALE_REPORT: { exit: 3, status: 409, retryable: false },
  STATE_MOVED: { exit: 3, status: 409, retryable: false },
  ADDRESS_UNAVAILABLE: { exit: 3, status: 503, retryable: false },
  WRONG_CHECKOUT: { exit: 3, status: 409, retryable: false },
  QUERY_INVALID: { exit: 2, status: 400, retryable: false },
  BUSY: { exit: 1, status: 503, retryable: true },
  BODY_MALFORMED: { exit: 2, status: 400, retryable: false },
  BODY_INVALID: { exit: 2, status: 422, retryable: false },
  BODY_TOO_LARGE: { exit: 2, status: 413, retryable: false },
  CONTENT_TYPE: { exit: 2, status: 415, retryable: false },
  UNAUTHORIZED: { exit: 3, status: 401, retryable: false },
  READ_ONLY_TOKEN: { exit: 3, status: 403, retryable: false },
  FORBIDDEN_ORIGIN: { exit: 3, status: 403, retryable: false },
  ROUTE_NOT_FOUND: { exit: 4, status: 404, retryable: false },
  METHOD_NOT_ALLOWED: { exit: 2, status: 405, retryable: false },
  PROTOCOL_VERSION: { exit: 3, status: 426, retryable: false },
  COORDINATOR_UNREACHABLE: { exit: 1, status: 503, retryable: true },
  RUN_GAVE_UP: { exit: 1, status: 503, retryable: true },
  COORDINATOR_GONE: { exit: 1, status: 503, retryable: true },

  REPOSITORY_MISSING: { exit: 5, status: 422, retryable: false },
  GIT_FAILED: { exit: 1, status: 500, retryable: false },
  AGENT_NOT_FOUND: { exit: 5, status: 422, retryable: false },
  SPAWN_FAILED: { exit: 1, status: 500, retryable: false },
  STOP_UNVERIFIED: { exit: 1, status: 500, retryable: false },
  PLATFORM_UNSUPPORTED: { exit: 5, status: 500, retryable: false },
} as const satisfies Record<string, ErrorRow>;

export interface ErrorRow {
  readonly exit: number;
  readonly status: number;
  readonly retryable: boolean;
}

export type ErrorCode = keyof typeof ERROR_TABLE;

export interface ErrorDetails {
  /** What to do, one sentence or one command. */
  readonly hint?: string;
  /** `file:line:column` for files that people write. */
  readonly where?: string;
  readonly cause?: unknown;
  /** Several problems found at once, each a sentence of its own. */
  readonly problems?: readonly Problem[];
}

/** One problem in something that a person wrote. */
export interface Problem {
  readonly severity: "error" | "warning";
  /** `file:line:column`, or the flag or file alone where there is no position. */
  readonly where: string;
  readonly message: string;
  readonly hint?: string;
}

/** The one error class. `message` is one sentence for a person: what is wrong and where; `hint` says what to do. */
export class LoopwrightError extends Error {
  override readonly name = "LoopwrightError";
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly where: string | undefined;
  readonly problems: readonly Problem[];

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.hint = details.hint;
    this.where = details.where;
    this.problems = details.problems ?? [];
  }

  get exitCode(): number {
    return ERROR_TABLE[this.code].exit;
  }

  get status(): number {
    return ERROR_TABLE[this.code].status;
  }

  get retryable(): boolean {
    return ERROR_TABLE[this.code].retryable;
  }
}
