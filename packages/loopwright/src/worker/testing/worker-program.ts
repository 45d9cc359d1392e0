/** `worker-program.ts <url> <checkout>`: a worker in a process of its own, to be killed or told to leave by SIGTERM. */
import { runWorker } from "../worker.ts";
import { SEAMS } from "./work-place.ts";

const [url = "", checkout = ""] = process.argv.slice(2);
const leave = new AbortController();
process.on("SIGTERM", () => leave.abort());
await runWorker({
  seams: SEAMS,
  url,
  token: "t".repeat(32),
  checkout,
  version: "0.1.0",
  signal: leave.signal,
});
