/** `worker-program.ts <url> <checkout>`: a worker in a process of its own, to be killed. */
import { runWorker } from "../worker.ts";
import { SEAMS } from "./work-place.ts";

const [url = "", checkout = ""] = process.argv.slice(2);
await runWorker({ seams: SEAMS, url, token: "t".repeat(32), checkout, version: "0.1.0" });
