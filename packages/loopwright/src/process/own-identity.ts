import type { ProcessIdentity } from "@loopwright/protocol";
import { darwinSelf } from "./darwin-machine.ts";
import { linuxSelf } from "./linux-machine.ts";

/** This process's identity, without loading anything that a shim doesn't need. */
export function ownIdentity(): ProcessIdentity {
  return process.platform === "darwin" ? darwinSelf() : linuxSelf();
}
