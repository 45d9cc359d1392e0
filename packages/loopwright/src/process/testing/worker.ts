/** A worker in a process of its own: `worker.ts <order as JSON>`; prints one line when its agent runs, then stays. */
import { createLauncher } from "../launcher.ts";
import type { Order } from "../order.ts";
import { createProcesses } from "../processes.ts";

const launcher = createLauncher({ processes: createProcesses() });
launcher.prepare();
const order = process.argv[2];
if (order !== undefined) await launcher.launch(JSON.parse(order) as Order);
process.stdout.write("ready\n");
setInterval(() => {}, 60_000);
