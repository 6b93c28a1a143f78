import { leafHash, merkleRoot, merkleTree } from "@/lib/domain/merkle";
import { leafText, type SealFacts, sealBody, sealHash } from "@/lib/domain/seal";
import { asTenant, type Tx } from "@/lib/store/db";
import {
  insertLeaves,
  insertSeal,
  lastSeal,
  sealMoments,
  takeSealing,
  tenantsToSeal,
  type UnsealedChain,
  unsealedChains,
} from "@/lib/store/seals";
import type { WorkerContext } from "./worker-context";

export interface SealSettings {
  /** Least time between two seals of a tenant, in milliseconds. */
  readonly everyMs: number;
  /** Chains under one seal; what is left waits for the next, which follows at once. */
  readonly leavesMax: number;
}

export const DEFAULT_SEALS: SealSettings = { everyMs: 3_600_000, leavesMax: 20_000 };

/**
 * How long after its date an entry may still become visible: longer than any transaction of ours lasts. Only what is
 * older counts as covered by a complete seal.
 */
export const SETTLE_MS = 600_000;
const TENANTS = 20;

/** What sealing needs of a worker. */
export type SealContext = Pick<WorkerContext, "owner" | "db" | "log">;

/**
 * One round of seals (SM-4): every tenant whose seal is due gets one over the chains that moved since its last.
 * Returns how many were made. Two workers never seal the same tenant at a time, and no writer waits for a seal.
 */
export async function sealChains(
  context: SealContext,
  settings: SealSettings = DEFAULT_SEALS,
): Promise<number> {
  const due = await tenantsToSeal(context.owner, settings.everyMs, TENANTS);
  let made = 0;
  for (const tenantId of due) {
    const seal = await asTenant(context.db, tenantId, (tx) =>
      sealTenant(tx, tenantId, settings.leavesMax),
    );
    if (seal === null) continue;
    made += 1;
    context.log.info({ event: "sealed", tenant: tenantId, count: seal.leaves });
  }
  return made;
}

/** Makes the next seal of a tenant; null when no chain moved or another worker is at it. */
async function sealTenant(tx: Tx, tenantId: string, leavesMax: number): Promise<SealFacts | null> {
  if (!(await takeSealing(tx, tenantId))) return null;
  const previous = await lastSeal(tx, tenantId);
  // Taken before the chains are read: whatever is dated before `settledUntil` is visible to that statement.
  const { madeAt, settledUntil } = await sealMoments(tx, SETTLE_MS);
  const since = previous?.coveredUntil ?? "-infinity";
  const found = await unsealedChains(tx, tenantId, since, leavesMax);
  if (found.length === 0) return null;
  const leaves = [...found].sort((one, other) => (one.opId < other.opId ? -1 : 1));
  const complete = found.length < leavesMax;
  const facts: SealFacts = {
    tenantId,
    seq: (previous?.seq ?? 0) + 1,
    madeAt,
    coveredUntil: complete ? settledUntil : earlier(found.at(-1)?.changedAt, settledUntil),
    complete,
    leaves: leaves.length,
    chains: (previous?.chains ?? 0) + count(leaves, ({ sealedLength }) => (sealedLength ? 0 : 1)),
    entries: (previous?.entries ?? 0) + count(leaves, (leaf) => leaf.length - leaf.sealedLength),
    root: merkleRoot(merkleTree(leaves.map((leaf) => leafHash(leafText(leaf))))),
    previous: previous?.hash ?? "",
  };
  const body = sealBody(facts);
  await insertSeal(tx, facts, { body, hash: sealHash(body) });
  await insertLeaves(tx, tenantId, facts.seq, leaves);
  return facts;
}

/** Of two times in the same form. */
function earlier(one: string | undefined, other: string): string {
  return one !== undefined && one < other ? one : other;
}

function count(leaves: readonly UnsealedChain[], of: (leaf: UnsealedChain) => number): number {
  return leaves.reduce((sum, leaf) => sum + of(leaf), 0);
}
