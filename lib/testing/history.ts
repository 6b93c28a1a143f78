import type { HistoryFinding } from "@/lib/domain/history-finding";
import type { CheckScope } from "@/lib/domain/history-scope";
import { sealChains } from "@/lib/flows/seal-chains";
import { verifyChains } from "@/lib/flows/verify-chains";
import type { Database } from "@/lib/store/db";
import type { TestLedger } from "./tenants";

/** A seal over whatever moved, now, for every tenant of the ledger. */
export async function sealNow(ledger: TestLedger, leavesMax = 1_000): Promise<number> {
  const context = { owner: ledger.owner, db: ledger.owner, log: ledger.ctx.log };
  let made = 0;
  for (;;) {
    const round = await sealChains(context, { everyMs: 0, leavesMax });
    if (round === 0) return made;
    made += round;
  }
}

/** Everything that a check finds, with what it counted. */
export async function checked(db: Database, tenantId: string, scope: CheckScope = { kind: "all" }) {
  const total = { chains: 0, entries: 0, seals: 0, findings: [] as HistoryFinding[] };
  for await (const step of verifyChains(db, tenantId, scope)) {
    total.chains += step.chains;
    total.entries += step.entries;
    total.seals += step.seals;
    total.findings.push(...step.findings);
  }
  return total;
}

/** Plain SQL as the owner of the database, past every guard, as whoever has its disk could. */
export async function tamper(
  owner: Database,
  sql: string,
  ...values: readonly unknown[]
): Promise<number> {
  return owner.$transaction(async (tx) => {
    await tx.$executeRaw`SET LOCAL session_replication_role = replica`;
    return tx.$executeRawUnsafe(sql, ...values);
  });
}

/** Makes the hashes of a chain fit again from an entry on, and the head with them: what a careful forger does. */
export async function rehash(owner: Database, opId: string): Promise<void> {
  const entries = await owner.operationEvent.findMany({ where: { opId }, orderBy: { seq: "asc" } });
  let hash = "";
  for (const { seq, body } of entries) {
    const [row] = await owner.$queryRaw<{ hash: string }[]>`
      SELECT encode(sha256(convert_to(${hash} || ${body}, 'UTF8')), 'hex') AS hash`;
    hash = row?.hash ?? "";
    await tamper(
      owner,
      "UPDATE operation_events SET hash = $3 WHERE op_id = $1::uuid AND seq = $2",
      opId,
      seq,
      hash,
    );
  }
  await tamper(
    owner,
    "UPDATE operations SET chain_length = $2, chain_head = $3 WHERE op_id = $1::uuid",
    opId,
    entries.length,
    hash,
  );
}
