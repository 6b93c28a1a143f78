import type { PackScope } from "@/lib/domain/history-scope";
import { leafHash, merklePath, merkleTree } from "@/lib/domain/merkle";
import {
  manifestText,
  type NewestSeal,
  PACK_README,
  type PackCounts,
  type PackFacts,
  type PackHead,
} from "@/lib/domain/pack";
import { leafText } from "@/lib/domain/seal";
import type { PackSource } from "@/lib/providers/pack-file";
import { summaryPdf } from "@/lib/providers/pack-summary";
import { verifierText } from "@/lib/providers/pack-verifier";
import type { Tx } from "@/lib/store/db";
import {
  type LeafForProof,
  leavesForProofs,
  listedOperations,
  operationLines,
  operationsOfScope,
  packFacts,
  sealLines,
} from "@/lib/store/pack-content";
import { lastSeal } from "@/lib/store/seals";

const OPERATIONS_PER_PAGE = 200;
const SEALS_PER_PAGE = 500;
const LEAVES_PER_PAGE = 5_000;
/** What the summary lists; the rest stands in operations.jsonl. */
const LISTED_MAX = 200;

export interface PackPlan {
  readonly facts: PackFacts;
  readonly sources: readonly PackSource[];
}

/**
 * The files of a pack in their order, read page by page out of one snapshot. `onProgress` is told after each page of
 * operations, and ends the making by throwing.
 */
export async function packPlan(
  tx: Tx,
  head: PackHead,
  onProgress: (counts: PackCounts) => Promise<void>,
): Promise<PackPlan> {
  const { tenantId, scope } = head;
  const facts = await packFacts(tx, tenantId, scope);
  const last = await lastSeal(tx, tenantId);
  const newestSeal: NewestSeal = last && { seq: last.seq, hash: last.hash };
  const listed = await listedOperations(tx, tenantId, scope, LISTED_MAX);
  const verifier = await verifierText();
  const sources: PackSource[] = [
    { name: "README.txt", content: () => once(PACK_README) },
    { name: "verify.mjs", content: () => once(verifier) },
    { name: "summary.pdf", content: () => summaryPdf({ head, facts, newestSeal, listed }) },
    { name: "seals.jsonl", content: () => seals(tx, tenantId) },
    { name: "operations.jsonl", content: () => operations(tx, tenantId, scope, onProgress) },
    { name: "proofs.jsonl", content: () => proofs(tx, tenantId, scope) },
    {
      name: "manifest.json",
      content: (before) => once(manifestText(head, facts, newestSeal, before)),
    },
  ];
  return { facts, sources };
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

async function* operations(
  tx: Tx,
  tenantId: string,
  scope: PackScope,
  onProgress: (counts: PackCounts) => Promise<void>,
): AsyncGenerator<string> {
  const counts = { operations: 0, entries: 0 };
  for await (const ids of operationsOfScope(tx, tenantId, scope, OPERATIONS_PER_PAGE)) {
    const page = await operationLines(tx, tenantId, ids);
    counts.operations += ids.length;
    counts.entries += page.entries;
    yield page.lines;
    await onProgress(counts);
  }
}

async function* seals(tx: Tx, tenantId: string): AsyncGenerator<string> {
  let after = 0;
  for (;;) {
    const { lines, last } = await sealLines(tx, tenantId, after, SEALS_PER_PAGE);
    if (last === null) return;
    yield lines;
    after = last;
  }
}

/** For every sealed chain of the scope its way to the root of its newest seal, seal by seal. */
async function* proofs(tx: Tx, tenantId: string, scope: PackScope): AsyncGenerator<string> {
  let leaves: LeafForProof[] = [];
  for await (const page of leavesForProofs(tx, tenantId, scope, LEAVES_PER_PAGE)) {
    for (const leaf of page) {
      if (leaves[0] && leaves[0].seal !== leaf.seal) {
        yield* proofsOfSeal(leaves);
        leaves = [];
      }
      leaves.push(leaf);
    }
  }
  yield* proofsOfSeal(leaves);
}

function* proofsOfSeal(leaves: readonly LeafForProof[]): Generator<string> {
  if (leaves.length === 0) return;
  const tree = merkleTree(leaves.map((leaf) => leafHash(leafText(leaf))));
  for (const [place, { seal, opId: op, length, head, wanted }] of leaves.entries()) {
    if (!wanted) continue;
    const path = merklePath(tree, place).map(
      ({ side, hash }) => `${side === "left" ? "L" : "R"}${hash}`,
    );
    yield `${JSON.stringify({ seal, op, length, head, path })}\n`;
  }
}
