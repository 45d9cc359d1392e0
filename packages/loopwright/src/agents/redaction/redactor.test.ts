import { describe, expect, test } from "vitest";
import { createRedactor } from "./redactor.ts";

const SECRET = "correct-horse-battery";
const redactor = createRedactor({
  API_KEY: SECRET,
  GH_TOKEN: 'tok"en-value',
  PATH: "/usr/bin:/bin",
  SHORT_KEY: "abc",
});

describe("createRedactor", () => {
  test("hides the values of secret variables, also as JSON writes them, and nothing of other ones", () => {
    expect(redactor.text(`a ${SECRET} b`)).toBe("a [redacted] b");
    expect(redactor.text(JSON.stringify({ x: 'tok"en-value' }))).toBe('{"x":"[redacted]"}');
    expect(redactor.text("/usr/bin:/bin abc")).toBe("/usr/bin:/bin abc");
  });

  test.each([
    ["Authorization: Bearer abc.def-123", "Authorization: Bearer [redacted]"],
    ['{"authorization": "Basic dXNlcg=="}', '{"authorization": "Basic [redacted]"}'],
    ["x-api-key: 12345 rest", "x-api-key: [redacted] rest"],
    ["https://me:pass@example.org/x", "https://me:[redacted]@example.org/x"],
    [`sk-ant-${"a".repeat(24)} x`, "[redacted] x"],
    [`ghp_${"A1".repeat(15)}`, "[redacted]"],
    ["AKIAIOSFODNN7EXAMPLE", "[redacted]"],
    [`eyJ${"a".repeat(12)}.${"b".repeat(12)}.${"c".repeat(12)}`, "[redacted]"],
    [
      "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----",
      "-----BEGIN RSA PRIVATE KEY-----[redacted]-----END RSA PRIVATE KEY-----",
    ],
  ])("hides the shape of %s", (text, expected) => {
    expect(redactor.text(text)).toBe(expected);
  });

  test.each([
    "is_error: false",
    "the bearer of news",
    "task-runner sk-ip",
    "http://localhost:3000/a@b",
    "eyJust a word",
  ])("leaves %s alone", (text) => expect(redactor.text(text)).toBe(text));

  test("hides fields by their name in JSON values", () => {
    const value = {
      access_token: "something",
      n: 1,
      list: [{ text: `x ${SECRET}` }],
      input_tokens: 5,
    };
    expect(redactor.value(value)).toEqual({
      access_token: "[redacted]",
      n: 1,
      list: [{ text: "x [redacted]" }],
      input_tokens: 5,
    });
  });

  test("knows non-ASCII secrets in bytes too", () => {
    const bytes = createRedactor({ A_SECRET: "pässwörd" }, { bytes: true });
    const text = Buffer.from("x pässwörd ÿ").toString("latin1");
    expect(Buffer.from(bytes.text(text), "latin1").toString("utf8")).toBe("x [redacted] ÿ");
  });
});
