import { type Disk, systemDisk } from "../disk.ts";

/** The real disk without waiting for it: for tests that make thousands of files and cut no power. */
export const quickDisk: Disk = {
  ...systemDisk,
  createExclusive: (path, data) => systemDisk.createExclusive(path, data, { sync: false }),
  syncDirectory: () => undefined,
  syncData: () => undefined,
};
