import { z } from "zod";

/**
 * What names one process beyond doubt on one machine. A pid alone is reused; with the start time, the boot and the pid
 * namespace it is not. Equal identities are the same process.
 */
export const processIdentity = z.object({
  host: z.string().min(1),
  /** Inode of `/proc/self/ns/pid`, or `none` where the platform has no pid namespaces. */
  pid_namespace: z.string().min(1),
  boot_id: z.string().min(1),
  pid: z.int().positive(),
  /** Field 22 of `/proc/<pid>/stat` (clock ticks since boot) as text, or the platform's own start time. */
  start_time: z.string().min(1),
});

export type ProcessIdentity = z.infer<typeof processIdentity>;

/** `unknown`: another host or pid namespace, where nothing can be said from here. Unknown is never treated as dead. */
export type Liveness = "alive" | "dead" | "unknown";

export function sameProcess(a: ProcessIdentity, b: ProcessIdentity): boolean {
  return (
    a.host === b.host &&
    a.pid_namespace === b.pid_namespace &&
    a.boot_id === b.boot_id &&
    a.pid === b.pid &&
    a.start_time === b.start_time
  );
}
