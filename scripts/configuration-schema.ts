// Prints the JSON Schema of `loopwright.yaml`, which editors use through the comment in its first line.
import { configurationFile, laterChoices } from "@loopwright/protocol";
import { z } from "zod";

const schema = z.toJSONSchema(configurationFile, {
  io: "input",
  target: "draft-7",
  // Editors offer what this version does.
  override({ zodSchema, jsonSchema }) {
    const later = laterChoices.get(zodSchema as unknown as z.ZodType)?.values ?? [];
    const left = jsonSchema.enum?.filter((word) => !later.includes(String(word))) ?? [];
    if (left.length > 0) jsonSchema.enum = left;
    else if (later.length > 0) jsonSchema.not = {};
  },
});
process.stdout.write(`${JSON.stringify({ title: "loopwright.yaml", ...schema }, null, 2)}\n`);
