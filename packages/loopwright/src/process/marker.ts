/**
 * Environment variable that every process of an attempt inherits; its value is the attempt id. Agents start their
 * shell tools in sessions of their own, which no group signal reaches: the marker is what finds them.
 */
export const MARKER = "LOOPWRIGHT_ATTEMPT";
