/** One goal's read model: derived from files, git and processes, and never truth itself. */
export { afterStop, attentionOf, RAISES } from "./attention.ts";
export { buildProjection } from "./build-projection.ts";
export { type Gathered, gather } from "./gather.ts";
export { type Holder, holderOf } from "./holder.ts";
export { loadProjection, type ReadingSeams } from "./load-projection.ts";
export { lookAround, type World } from "./look-around.ts";
export { phaseOf } from "./phase.ts";
export { projectLines, projectSession } from "./project-session.ts";
export { readProjection, writeProjection } from "./projection-file.ts";
export { attentionOverGoals, named } from "./rank-attention.ts";
