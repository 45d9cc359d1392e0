import { memoryUsage } from "node:process";
import type { ReadModel } from "./model.ts";

/** `/metrics`, in the text form of Prometheus. */
export function metricsOf(model: ReadModel): string {
  const { goals, by_phase, attention } = model.totals();
  const rows = [
    ...metric("loopwright_goals", "Goals that are known.", [["", goals]]),
    ...metric(
      "loopwright_goals_by_phase",
      "Goals by what they are doing.",
      labelled("phase", by_phase),
    ),
    ...metric(
      "loopwright_attention_items",
      "What waits on somebody.",
      labelled("severity", attention),
    ),
    ...metric("loopwright_event_streams", "Open event streams.", [["", model.hub.listeners()]]),
    ...metric("process_resident_memory_bytes", "Resident memory.", [["", memoryUsage.rss()]]),
    ...metric("process_uptime_seconds", "Since this server started.", [["", process.uptime()]]),
  ];
  return `${rows.join("\n")}\n`;
}

function labelled(name: string, values: Readonly<Record<string, number>>): [string, number][] {
  return Object.entries(values).map(([value, count]) => [`{${name}="${value}"}`, count]);
}

function metric(name: string, help: string, values: readonly (readonly [string, number])[]) {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} gauge`,
    ...values.map(([labels, value]) => `${name}${labels} ${value}`),
  ];
}
