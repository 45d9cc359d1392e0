import type { JournalLine } from "@loopwright/protocol";
import { expect, test } from "vitest";
import type { Output } from "../output/output.ts";
import { showLine } from "./live-view.ts";

test("a pause says what goes on from it, so that nobody takes it for a hang", () => {
  const shown = (reason: string): string => {
    const lines: string[] = [];
    const output = {
      line: (text = "") => void lines.push(text),
      style: (_: unknown, text: string) => text,
    } as Output;
    const data = { reason, detail: "", by: "ann" };
    const line = { at: "2026-01-01T00:00:00.000Z", records: [{ type: "paused", data }] };
    showLine(output, line as unknown as JournalLine);
    return lines.join("\n");
  };
  expect(shown("user")).toContain(
    "paused (user) by ann\n          Nothing starts until: loopwright",
  );
  expect(shown("user")).toContain("Ctrl-C ends the session");
  expect(shown("disk")).toContain("goes on by itself");
});
