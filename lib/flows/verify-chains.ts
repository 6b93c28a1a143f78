import { chainFindings, type HistoryFinding, unexplained } from "@/lib/domain/history-finding";
import type { CheckScope } from "@/lib/domain/history-scope";
import { leafHash, merkleRoot, merkleTree } from "@/lib/domain/merkle";
import { leafText, type StoredSeal, sealFault } from "@/lib/domain/seal";
import type { Database, Tx } from "@/lib/store/db";
import { chainFacts, completeSeals } from "@/lib/store/history-chains";
import { FIRST_ID, nextRange, suspectsIn } from "@/lib/store/history-suspects";
import { leavesOf, sealsAfter } from "@/lib/store/seals";
import { inSnapshot } from "@/lib/store/snapshot";

/** What one step of a check looked at and what it found. */
export interface CheckStep {
  readonly chains: number;
  readonly entries: number;
  readonly seals: number;
  readonly findings: readonly HistoryFinding[];
}

const OPERATIONS_PER_STEP = 1_000;
const SEALS_PER_STEP = 50;

/**
 * Checks the history of a tenant step by step (SM-4): seals with their trees first, then chains, payloads and dates.
 * Every step is a read of its own in one snapshot, so memory stays flat and nobody waits. Names what was changed,
 * taken out, put in or moved. Writes nothing; `db` may be any role that sees the tenant, also on a restored dump.
 */
export async function* verifyChains(
  db: Database,
  tenantId: string,
  scope: CheckScope,
): AsyncGenerator<CheckStep> {
  if (scope.kind === "all") yield* verifySeals(db, tenantId);
  let after: string | null = FIRST_ID;
  while (after !== null) {
    const from: string = after;
    const { next, ...step } = await inSnapshot(db, tenantId, (tx) =>
      verifyRange(tx, tenantId, scope, from),
    );
    yield step;
    after = next;
  }
}

async function verifyRange(
  tx: Tx,
  tenantId: string,
  scope: CheckScope,
  after: string,
): Promise<CheckStep & { readonly next: string | null }> {
  const { range, next } = await nextRange(tx, tenantId, scope, after, OPERATIONS_PER_STEP);
  const { suspects, ...counts } = await suspectsIn(tx, tenantId, range);
  const complete = suspects.length > 0 ? await completeSeals(tx, tenantId) : [];
  const findings: HistoryFinding[] = [];
  for (const opId of suspects) {
    const named = chainFindings(await chainFacts(tx, tenantId, opId, complete));
    findings.push(...(named.length > 0 ? named : [unexplained(opId)]));
  }
  return { ...counts, seals: 0, findings, next };
}

async function* verifySeals(db: Database, tenantId: string): AsyncGenerator<CheckStep> {
  let previous: StoredSeal | null = null;
  for (;;) {
    const before: StoredSeal | null = previous;
    const step: SealStep = await inSnapshot(db, tenantId, (tx) => nextSeals(tx, tenantId, before));
    if (step.seals.length === 0) return;
    yield { chains: 0, entries: 0, seals: step.seals.length, findings: step.findings };
    previous = step.seals.at(-1) ?? null;
  }
}

interface SealStep {
  readonly seals: readonly StoredSeal[];
  readonly findings: readonly HistoryFinding[];
}

async function nextSeals(tx: Tx, tenantId: string, before: StoredSeal | null): Promise<SealStep> {
  const seals = await sealsAfter(tx, tenantId, before?.seq ?? 0, SEALS_PER_STEP);
  return { seals, findings: await sealFindings(tx, tenantId, seals, before) };
}

async function sealFindings(
  tx: Tx,
  tenantId: string,
  seals: readonly StoredSeal[],
  before: StoredSeal | null,
): Promise<readonly HistoryFinding[]> {
  const findings: HistoryFinding[] = [];
  let previous = before;
  for (const seal of seals) {
    const found = sealFault(seal, previous) ?? (await treeFault(tx, tenantId, seal));
    if (found) findings.push({ opId: null, entry: null, sealSeq: seal.seq, ...found });
    previous = seal;
  }
  return findings;
}

async function treeFault(tx: Tx, tenantId: string, seal: StoredSeal) {
  const leaves = await leavesOf(tx, tenantId, seal.seq);
  const counts = { expected: String(seal.leaves), found: String(leaves.length) };
  if (leaves.length < seal.leaves) {
    return { fault: "missing", detail: "leaves of the seal are not there", ...counts } as const;
  }
  if (leaves.length > seal.leaves) {
    return { fault: "inserted", detail: "the seal has leaves too many", ...counts } as const;
  }
  const root = merkleRoot(merkleTree(leaves.map((leaf) => leafHash(leafText(leaf)))));
  if (root === seal.root) return null;
  const detail = "the leaves of the seal do not give its root";
  return { fault: "changed", detail, expected: seal.root, found: root } as const;
}
