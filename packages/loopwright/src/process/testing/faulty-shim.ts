/**
 * A shim whose durable operations fail, counted from 1.
 * `faulty-shim.ts kill <n>`: it is killed right before the n-th. `faulty-shim.ts full <n> <m>`: n to m find a full disk.
 */
import { supervise } from "../supervise.ts";

const [mode, first, last] = process.argv.slice(2);
let count = 0;

supervise(() => {
  count += 1;
  if (mode === "kill" && count === Number(first)) process.kill(process.pid, "SIGKILL");
  if (mode === "full" && count >= Number(first) && count <= Number(last)) {
    throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
  }
});
