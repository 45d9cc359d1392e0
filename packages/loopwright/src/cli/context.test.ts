import { afterEach, expect, test, vi } from "vitest";
import { createContext } from "./context.ts";

afterEach(() => vi.unstubAllEnvs());

test.each(["relative", "./home", ""])("a HOME of %j is refused, not looked for here", (home) => {
  vi.stubEnv("HOME", home);
  expect(() => createContext({})).toThrowError(
    expect.objectContaining({ code: "USAGE", message: expect.stringContaining(`"${home}"`) }),
  );
  vi.stubEnv("HOME", "/somewhere");
  expect(createContext({}).home).toBe("/somewhere");
});
