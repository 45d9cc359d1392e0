import type { Disk } from "../disk.ts";

/** What goes wrong, from the `from`-th operation (counted from 1) to the `to`-th. Plain JSON, so that it can be passed on. */
export interface Fault {
  readonly from: number;
  /** Default: the same as `from`. */
  readonly to?: number;
  /** Only operations of this name are hit; they are still counted among all. */
  readonly only?: keyof Disk;
  readonly what:
    | { readonly kind: "fail"; readonly code: "EIO" | "ENOSPC" | "EROFS"; readonly after?: boolean }
    /** Writes that many bytes; a create then fails with ENOSPC and leaves the torn file, as a crash would. */
    | { readonly kind: "short_write"; readonly bytes: number }
    | { readonly kind: "kill"; readonly when: "before" | "after" };
}

export interface FaultyDisk extends Disk {
  /** Every operation that was asked for, in order. */
  readonly operations: { readonly n: number; readonly name: keyof Disk; readonly path: string }[];
}

/** A disk that does what the given one does, except where the plan says otherwise. */
export function createFaultyDisk(disk: Disk, plan: readonly Fault[]): FaultyDisk {
  const operations: FaultyDisk["operations"] = [];
  const paths = new Map<number, string>();

  function run<T>(
    name: keyof Disk,
    path: string,
    operation: () => T,
    short: (bytes: number) => T,
  ): T {
    const n = operations.push({ n: operations.length + 1, name, path });
    const fault = plan.find(
      ({ from, to = from, only }) => n >= from && n <= to && (only ?? name) === name,
    );
    const what = fault?.what;
    if (what === undefined) return operation();
    if (what.kind === "short_write") return short(what.bytes);
    if (what.kind === "kill") {
      if (what.when === "after") operation();
      process.kill(process.pid, "SIGKILL");
      for (;;);
    }
    if (what.after === true) operation();
    throw Object.assign(new Error(`${what.code}: injected at ${name} ${n}`), { code: what.code });
  }

  const whole = <T>(name: keyof Disk, path: string, operation: () => T): T =>
    run(name, path, operation, operation);
  const pathOf = (fd: number): string => paths.get(fd) ?? "";

  return {
    operations,
    createExclusive: (path, data, options) =>
      run(
        "createExclusive",
        path,
        () => disk.createExclusive(path, data, options),
        (bytes) => {
          disk.createExclusive(path, Buffer.from(data as string).subarray(0, bytes), options);
          throw Object.assign(new Error("ENOSPC: injected"), { code: "ENOSPC" });
        },
      ),
    link: (from, to) => whole("link", to, () => disk.link(from, to)),
    rename: (from, to) => whole("rename", to, () => disk.rename(from, to)),
    unlink: (path) => whole("unlink", path, () => disk.unlink(path)),
    mkdir: (path) => whole("mkdir", path, () => disk.mkdir(path)),
    syncDirectory: (path) => whole("syncDirectory", path, () => disk.syncDirectory(path)),
    openAppend: (path) =>
      whole("openAppend", path, () => {
        const fd = disk.openAppend(path);
        paths.set(fd, path);
        return fd;
      }),
    append: (fd, data) =>
      run(
        "append",
        pathOf(fd),
        () => disk.append(fd, data),
        (bytes) => disk.append(fd, data.subarray(0, bytes)),
      ),
    syncData: (fd) => whole("syncData", pathOf(fd), () => disk.syncData(fd)),
    truncate: (fd, size) => whole("truncate", pathOf(fd), () => disk.truncate(fd, size)),
    close: (fd) => disk.close(fd),
    reserve: (path, bytes) => whole("reserve", path, () => disk.reserve(path, bytes)),
  };
}
