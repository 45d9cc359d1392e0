import { readFileSync } from "node:fs";
import { ERROR_TABLE } from "@loopwright/protocol";
import { expect, test } from "vitest";

const page = readFileSync(new URL("../../docs/reference/errors.md", import.meta.url), "utf8");

test("the reference of errors lists every code once, with its exit code and HTTP status", () => {
  const rows = [
    ...page.matchAll(/^\| `([A-Z_]+)` \| (\d+) \| (\d+) \| (yes|no) \| [^|]+ \| [^|]+ \|$/gm),
  ].map(([, code, exit, status, again]) => ({
    code,
    exit: Number(exit),
    status: Number(status),
    retryable: again === "yes",
  }));
  expect(rows).toEqual(Object.entries(ERROR_TABLE).map(([code, row]) => ({ code, ...row })));
});
