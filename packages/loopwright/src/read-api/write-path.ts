import { WRITE_BODIES, type WriteName } from "@loopwright/protocol";
import { parametersOf } from "./path.ts";

/** What a write is asked of, as its path says. */
export interface WritePath {
  readonly goalId: string;
  readonly name: WriteName;
  /** Of the guidance that is withdrawn. */
  readonly input?: string | undefined;
}

/** `/goals/:id/<name>` or `/goals/:id/inputs/:input/withdraw`; undefined for any other path. */
export function writePathOf(path: string): WritePath | undefined {
  const parts = path.split("/");
  const [id, input] =
    parametersOf(["", "goals", ":id", "inputs", ":input", "withdraw"], parts) ?? [];
  if (id !== undefined) return { goalId: id, name: "withdraw", input };
  const [goalId = "", name = ""] = parametersOf(["", "goals", ":id", ":name"], parts) ?? [];
  return Object.hasOwn(WRITE_BODIES, name) && name !== "withdraw"
    ? { goalId, name: name as WriteName }
    : undefined;
}

/** The body with what the path says of it. */
export function withInput(body: unknown, input: string | undefined): unknown {
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
  return input === undefined || !isObject ? body : { ...body, input };
}
