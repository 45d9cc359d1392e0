/**
 * The program that stands between a worker and its agent, one for each attempt, so that neither the output nor the
 * exit code is lost with the worker. Leads the attempt's process group and session. Loads node's own modules only:
 * its start is part of every iteration.
 */
import { noStep } from "./durable-record.ts";
import { supervise } from "./supervise.ts";

supervise(noStep);
