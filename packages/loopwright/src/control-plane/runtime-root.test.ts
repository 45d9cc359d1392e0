import { expect, test } from "vitest";
import { registryProjectRoot } from "./registry-path.ts";
import { resolveRuntimeRoot } from "./runtime-root.ts";

const home = "/home/me";
const registryPath = "/srv/shop/.loopwright/registry.json";

test("an override wins over the registry, and the registry over the default", () => {
  const registry = { common_runtime_root: "/data/loops" };
  expect(resolveRuntimeRoot(registry, { override: "/mine", registryPath, home })).toBe("/mine");
  expect(resolveRuntimeRoot(registry, { registryPath, home })).toBe("/data/loops");
  expect(resolveRuntimeRoot({}, { registryPath, home })).toBe("/home/me/.loopwright");
  expect(resolveRuntimeRoot({ common_runtime_root: null }, { registryPath, home })).toBe(
    "/home/me/.loopwright",
  );
  expect(resolveRuntimeRoot({ common_runtime_root: "" }, { registryPath, home })).toBe(
    "/home/me/.loopwright",
  );
});

test("a relative path is joined to the registry's project root, whatever the current directory is", () => {
  for (const cwd of ["/", "/tmp"]) {
    const before = process.cwd();
    process.chdir(cwd);
    try {
      expect(resolveRuntimeRoot({ common_runtime_root: "../loops" }, { registryPath, home })).toBe(
        "/srv/loops",
      );
      expect(resolveRuntimeRoot({}, { override: "loops", registryPath, home })).toBe(
        "/srv/shop/loops",
      );
      expect(
        resolveRuntimeRoot(
          { common_runtime_root: "loops" },
          { registryPath: "/etc/registry.json", home },
        ),
      ).toBe("/etc/loops");
    } finally {
      process.chdir(before);
    }
  }
});

test("a leading ~ is the home directory, and no other ~ is anything", () => {
  expect(resolveRuntimeRoot({ common_runtime_root: "~" }, { registryPath, home })).toBe(home);
  expect(resolveRuntimeRoot({ common_runtime_root: "~/x" }, { registryPath, home })).toBe(
    "/home/me/x",
  );
  expect(resolveRuntimeRoot({ common_runtime_root: "~you/x" }, { registryPath, home })).toBe(
    "/srv/shop/~you/x",
  );
});

test("a LoopX registry keeps the root that LoopX has", () => {
  const loopx = "/srv/shop/.loopx/registry.json";
  expect(registryProjectRoot(loopx)).toBe("/srv/shop");
  expect(resolveRuntimeRoot({}, { registryPath: loopx, home })).toBe("/home/me/.codex/loopx");
});
