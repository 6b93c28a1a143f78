import { createHash } from "node:crypto";

/** One step from a leaf to the root: the hash beside the way, and whether it stands left or right of it. */
export interface MerkleStep {
  readonly side: "left" | "right";
  /** 64 hexadecimal digits. */
  readonly hash: string;
}

/** The tree of RFC 6962, section 2.1, over some leaves, kept level by level from the leaves to the root. */
export type MerkleTree = readonly (readonly Buffer[])[];

// Leaves and inner nodes are hashed under different first bytes: no inner node can be shown as a leaf.
const LEAF = Buffer.from([0]);
const NODE = Buffer.from([1]);

/** The hash of one leaf over the UTF-8 bytes of its text. */
export function leafHash(text: string): Buffer {
  return createHash("sha256").update(LEAF).update(text, "utf8").digest();
}

function nodeHash(left: Buffer, right: Buffer): Buffer {
  return createHash("sha256").update(NODE).update(left).update(right).digest();
}

/**
 * Builds the tree over leaf hashes in their order. A last hash without a neighbour goes up as it is, which gives the
 * very tree of RFC 6962. Throws for no leaves at all: there is nothing to seal then.
 */
export function merkleTree(leaves: readonly Buffer[]): MerkleTree {
  if (leaves.length === 0) throw new Error("a tree needs a leaf");
  const levels: (readonly Buffer[])[] = [leaves];
  let level = leaves;
  while (level.length > 1) {
    level = levelAbove(level);
    levels.push(level);
  }
  return levels;
}

function levelAbove(level: readonly Buffer[]): Buffer[] {
  const above: Buffer[] = [];
  for (let place = 0; place < level.length; place += 2) {
    const left = level[place];
    const right = level[place + 1];
    if (left) above.push(right ? nodeHash(left, right) : left);
  }
  return above;
}

/** The root as 64 hexadecimal digits. */
export function merkleRoot(tree: MerkleTree): string {
  const root = tree.at(-1)?.[0];
  if (!root) throw new Error("a tree has a root");
  return root.toString("hex");
}

/** The steps that lead from the leaf at this place, counted from 0, to the root. */
export function merklePath(tree: MerkleTree, place: number): MerkleStep[] {
  const steps: MerkleStep[] = [];
  let at = place;
  for (const level of tree) {
    const beside = level[at ^ 1];
    if (beside) steps.push({ side: at % 2 === 1 ? "left" : "right", hash: beside.toString("hex") });
    at >>= 1;
  }
  return steps;
}

/** The root that a leaf and its steps lead to, as 64 hexadecimal digits. */
export function rootOfPath(leafText: string, steps: readonly MerkleStep[]): string {
  let hash = leafHash(leafText);
  for (const { side, hash: beside } of steps) {
    const other = Buffer.from(beside, "hex");
    hash = side === "left" ? nodeHash(other, hash) : nodeHash(hash, other);
  }
  return hash.toString("hex");
}
