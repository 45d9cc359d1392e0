import type { AttentionItem } from "@loopwright/protocol";

/** The order in which a person should look: the most severe first, of these the oldest; over all goals. Pure. */
export function rankAttention(items: readonly AttentionItem[]): AttentionItem[] {
  return items.toSorted(
    (a, b) =>
      RANK[a.severity] - RANK[b.severity] ||
      compare(a.since, b.since) ||
      compare(a.goal_id, b.goal_id),
  );
}

/**
 * With names that stay the same as long as an item stands: goal, kind, and for a question its id; of several of one
 * kind, which.
 */
export function named(items: readonly Omit<AttentionItem, "id">[]): AttentionItem[] {
  const taken = new Map<string, number>();
  return items.map((item) => {
    const name = [item.goal_id, item.kind, ...(item.question ? [item.question.id] : [])].join("/");
    const times = (taken.get(name) ?? 0) + 1;
    taken.set(name, times);
    return { id: times === 1 ? name : `${name}/${times}`, ...item };
  });
}

/** The same with commands that name their goal, so that each settles its own wherever it is given. */
export function attentionOverGoals(goals: Iterable<readonly AttentionItem[]>): AttentionItem[] {
  const items = [...goals].flat().map((item) => ({
    ...item,
    next_command: forGoal(item.next_command, item.goal_id),
  }));
  return rankAttention(items);
}

const RANK = { high: 0, action: 1, watch: 2 } as const;

/** Goal ids need no quotes. */
function forGoal(command: string | null, goalId: string): string | null {
  if (command === null || !command.startsWith("loopwright ")) return command;
  if (command.split(" ").includes(goalId) || command === "loopwright doctor") return command;
  return `${command} --goal ${goalId}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
