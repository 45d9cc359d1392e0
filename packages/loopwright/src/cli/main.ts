import { completeOlderNode } from "./older-node.ts";
import { VERSION } from "./version.ts";

// The commonest question of scripts is answered without loading anything.
const words = process.argv.slice(2);
if (words.length === 1 && (words[0] === "--version" || words[0] === "-V")) {
  process.stdout.write(`${VERSION}\n`);
} else {
  completeOlderNode();
  const { main } = await import("./program.ts");
  process.exitCode = await main(words);
}
