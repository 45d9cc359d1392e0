/**
 * Environment variable that every process of an attempt inherits; its value is the attempt id. Agents start their
 * shell tools in sessions of their own, which no group signal reaches: the marker is what finds them.
 */
export const MARKER = "LOOPWRIGHT_ATTEMPT";

/**
 * A second one for agents that share an attempt, as those of a team lead do: put it into the order's environment, and
 * one of them can be stopped without the others.
 */
export const AGENT_MARKER = "LOOPWRIGHT_AGENT";

/** In the environment of every agent of a session: finds them all where the session's files can't be read any more. */
export const SESSION_MARKER = "LOOPWRIGHT_SESSION";
