/**
 * A persistent set of (tree digest, passing checks): adding shares all but the path to the new entry, so that a
 * session of ten thousand iterations never copies what it has seen. Branches are chosen by the digest's hex digits.
 */
export interface SignatureSet {
  readonly size: number;
  readonly root: Node | null;
}

type Node = Leaf | Branch;
interface Leaf {
  readonly keys: readonly string[];
}
interface Branch {
  readonly children: readonly (Node | null)[];
}

export const NO_SIGNATURES: SignatureSet = { size: 0, root: null };

/** One text for a tree and the ids of the checks that pass at it. */
export function signature(treeDigest: string, passing: readonly string[]): string {
  return `${treeDigest}|${passing.join(",")}`;
}

export function hasSignature(set: SignatureSet, key: string): boolean {
  let node = set.root;
  for (let depth = 0; node !== null; depth++) {
    if ("keys" in node) return node.keys.includes(key);
    node = node.children[digit(key, depth)] ?? null;
  }
  return false;
}

export function addSignature(set: SignatureSet, key: string): SignatureSet {
  if (hasSignature(set, key)) return set;
  return { size: set.size + 1, root: insert(set.root, key, 0) };
}

const DEEPEST = 40;

function insert(node: Node | null, key: string, depth: number): Node {
  if (node === null) return { keys: [key] };
  if ("keys" in node) {
    const [other] = node.keys;
    if (other === undefined || depth >= DEEPEST || sameTree(other, key))
      return { keys: [...node.keys, key] };
    return insert(split(node, other, depth), key, depth);
  }
  const at = digit(key, depth);
  return { children: node.children.with(at, insert(node.children[at] ?? null, key, depth + 1)) };
}

function split(leaf: Leaf, key: string, depth: number): Branch {
  const children = Array.from<Node | null>({ length: 16 }).fill(null);
  children[digit(key, depth)] = leaf;
  return { children };
}

function sameTree(a: string, b: string): boolean {
  return a.slice(0, a.indexOf("|")) === b.slice(0, b.indexOf("|"));
}

function digit(key: string, depth: number): number {
  const value = Number.parseInt(key.charAt(depth), 16);
  return Number.isNaN(value) ? 0 : value;
}
