/** A shim that is killed right before its n-th durable operation: `faulty-shim.ts <n>`, counted from 1. */
import { supervise } from "../supervise.ts";

let left = Number(process.argv[2]);

supervise(() => {
  left -= 1;
  if (left === 0) process.kill(process.pid, "SIGKILL");
});
