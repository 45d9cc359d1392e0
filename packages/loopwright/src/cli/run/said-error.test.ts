import { expect, test } from "vitest";
import { saidError } from "./said-error.ts";

test("the error sentence and the hint of a child are told apart, whatever stands around them", () => {
  const stderr = [
    "(node:12) Warning: something",
    "error: The journal can't be opened (UNEXPECTED)",
    "hint: This is a fault of Loopwright.",
    "Error: The journal can't be opened",
    "    at open (file:///journal.js:1:2)",
    "",
  ].join("\n");
  expect(saidError(stderr)).toEqual({
    message: "The journal can't be opened",
    hint: "This is a fault of Loopwright.",
  });
  expect(saidError("error: No room (DISK_FULL)").hint).toBeUndefined();
});

test("of what Node itself prints when it dies, the error is taken and not the line around it", () => {
  const stderr = [
    "node:internal/modules/esm/resolve:204",
    "  const resolvedOption = FSLegacyMainResolve(pkgPath);",
    "                         ^",
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'hono' imported from /x/server.js",
    "    at legacyMainResolve (node:internal/modules/esm/resolve:204:26) {",
    "  code: 'ERR_MODULE_NOT_FOUND'",
    "}",
    "",
    "Node.js v24.22.3",
  ].join("\n");
  expect(saidError(stderr).message).toBe(
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'hono' imported from /x/server.js",
  );
  expect(saidError("Error: boom\n    at x\n").message).toBe("boom");
  expect(saidError("Killed\n").message).toBe("Killed");
  expect(saidError("").message).toBeUndefined();
});
