import { closeSync } from "node:fs";
import { openWithoutBlocking, readUpTo } from "../../store/regular-file.ts";

/** Whether the last bytes of a journal are those of a whole line with this sum. */
export function endsInSum(path: string, sum: string): boolean {
  const ending = `,"sum":"${sum}"}\n`;
  try {
    const { fd, stats } = openWithoutBlocking(path, { followLinks: false });
    try {
      const at = Math.max(0, stats.size - ending.length);
      return stats.isFile() && readUpTo(fd, ending.length, at).toString("latin1") === ending;
    } finally {
      closeSync(fd);
    }
  } catch {
    return false;
  }
}
