import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { leafHash, merklePath, merkleRoot, merkleTree, rootOfPath } from "./merkle";

const texts = (count: number) => Array.from({ length: count }, (_, place) => `leaf ${place}`);

/** RFC 6962 as it is written: split at the largest power of two below the number of leaves. */
function byTheLetter(leaves: readonly Buffer[]): Buffer {
  const [only] = leaves;
  if (leaves.length === 1 && only) return only;
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return createHash("sha256")
    .update(Buffer.from([1]))
    .update(byTheLetter(leaves.slice(0, split)))
    .update(byTheLetter(leaves.slice(split)))
    .digest();
}

describe("SM-4: the tree over the heads of chains", () => {
  test.each([1, 2, 3, 4, 5, 7, 8, 9, 31, 100])("is that of RFC 6962 for %i leaves", (count) => {
    const leaves = texts(count).map(leafHash);
    expect(merkleRoot(merkleTree(leaves))).toBe(byTheLetter(leaves).toString("hex"));
  });

  test("leads from every leaf to its root, and from no other text", () => {
    const all = texts(13);
    const tree = merkleTree(all.map(leafHash));
    for (const [place, text] of all.entries()) {
      const path = merklePath(tree, place);
      expect(rootOfPath(text, path)).toBe(merkleRoot(tree));
      expect(rootOfPath(`${text} `, path)).not.toBe(merkleRoot(tree));
    }
  });

  test("gives another root when two leaves change places, one is left out or one is added", () => {
    const [one = "", two = "", ...others] = texts(9);
    const root = (all: readonly string[]) => merkleRoot(merkleTree(all.map(leafHash)));
    const roots = [
      root([one, two, ...others]),
      root([two, one, ...others]),
      root([two, ...others]),
      root([one, two, ...others, "more"]),
    ];
    expect(new Set(roots).size).toBe(4);
  });

  test("does not take an inner node for a leaf", () => {
    const [left, right] = [leafHash("a"), leafHash("b")];
    const forged = Buffer.concat([left, right]).toString("latin1");
    expect(leafHash(forged).toString("hex")).not.toBe(merkleRoot(merkleTree([left, right])));
  });
});
