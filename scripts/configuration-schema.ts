// Prints the JSON Schema of `loopwright.yaml`, which editors use through the comment in its first line.
import { configurationFile } from "@loopwright/protocol";
import { z } from "zod";

const schema = z.toJSONSchema(configurationFile, { io: "input", target: "draft-7" });
process.stdout.write(`${JSON.stringify({ title: "loopwright.yaml", ...schema }, null, 2)}\n`);
