import { styleText } from "node:util";
import type { Measure, Row } from "./measure.ts";

export function renderRows({ name, title }: Measure, rows: readonly Row[]): string {
  const width = Math.max(...rows.map(({ what }) => what.length));
  const lines = rows.map((row) => {
    const value = `${formatted(row.value)} ${row.unit}`;
    const against = [
      ...(row.aim === undefined ? [] : [`aim ${row.aim}`]),
      ...(row.peer === undefined
        ? []
        : [
            `${formatted(row.value / row.peer.value)} × ${row.peer.name} (${formatted(row.peer.value)} ${row.unit})`,
          ]),
    ];
    return `  ${row.what.padEnd(width)}  ${value.padStart(10)}  ${styleText("dim", against.join(", "))}`.trimEnd();
  });
  return `${styleText("bold", title)} ${styleText("dim", `(${name})`)}\n${lines.join("\n")}\n`;
}

function formatted(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
