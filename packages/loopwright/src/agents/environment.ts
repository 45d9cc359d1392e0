/** What every agent may see of the user's environment; the rest only by `pass_env`. */
const ALLOWED = new Set([
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "LANGUAGE",
  "TMPDIR",
  "TZ",
  "LD_LIBRARY_PATH",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "NODE_EXTRA_CA_CERTS",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
  "XDG_CONFIG_HOME",
  "XDG_DATA_HOME",
  "XDG_CACHE_HOME",
  "XDG_STATE_HOME",
  "XDG_RUNTIME_DIR",
]);

/** Nobody is there to answer an editor, a pager or a question for credentials. */
const UNATTENDED = {
  TERM: "dumb",
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "true",
  SSH_ASKPASS: "true",
  GIT_EDITOR: "true",
  GIT_SEQUENCE_EDITOR: "true",
  EDITOR: "true",
  VISUAL: "true",
  GIT_PAGER: "cat",
  PAGER: "cat",
  GIT_MERGE_AUTOEDIT: "no",
  DEBIAN_FRONTEND: "noninteractive",
} as const;

export interface EnvironmentSources {
  /** The user's: `process.env`. */
  readonly user: Readonly<Record<string, string | undefined>>;
  readonly settings: {
    readonly env: Readonly<Record<string, string>>;
    readonly pass_env: readonly string[];
  };
  /** Of the adapter: names of variables that its CLI needs. */
  readonly variables?: readonly string[];
  /** What the adapter's plan adds. */
  readonly adapter?: Readonly<Record<string, string>>;
  /** `LOOPWRIGHT_…`. Nothing overrides these. */
  readonly assignment: Readonly<Record<string, string>>;
}

/**
 * The agent's whole environment but for the marker, which the shim adds. Later ones win: standard variables of the
 * user, the guards against questions, what the CLI needs and `pass_env`, the adapter's, the configured `env`, the assignment's.
 */
export function agentEnvironment({
  user,
  settings,
  variables = [],
  adapter = {},
  assignment,
}: EnvironmentSources): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(user)) {
    if (value !== undefined && (ALLOWED.has(name) || name.startsWith("LC_")))
      environment[name] = value;
  }
  Object.assign(environment, UNATTENDED);
  for (const name of [...variables, ...settings.pass_env]) {
    const value = user[name];
    if (value !== undefined) environment[name] = value;
  }
  return { ...environment, ...adapter, ...settings.env, ...assignment };
}
