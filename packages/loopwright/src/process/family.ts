interface Relative {
  readonly pid: number;
  readonly parent: number;
  readonly start_time: string;
}

/**
 * Children, grandchildren, … of `roots` among `rows`, without the roots. A child that is older than its parent is
 * none: the parent's number was used again between two looks.
 */
export function descendantsOf<Row extends Relative>(
  rows: readonly Row[],
  roots: readonly number[],
): Row[] {
  const byPid = new Map(rows.map((row) => [row.pid, row]));
  const children = new Map<number, Row[]>();
  for (const row of rows) {
    const siblings = children.get(row.parent);
    if (siblings === undefined) children.set(row.parent, [row]);
    else siblings.push(row);
  }
  const seen = new Set(roots);
  const found: Row[] = [];
  const queue = [...roots];
  for (let pid = queue.pop(); pid !== undefined; pid = queue.pop()) {
    const parent = byPid.get(pid);
    for (const child of children.get(pid) ?? []) {
      if (seen.has(child.pid) || (parent !== undefined && isOlder(child, parent))) continue;
      seen.add(child.pid);
      found.push(child);
      queue.push(child.pid);
    }
  }
  return found;
}

function isOlder(a: Relative, b: Relative): boolean {
  return Number(a.start_time) < Number(b.start_time);
}
