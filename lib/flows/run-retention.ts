import { DEFAULT_RULES, NOTHING_REMOVED, type RemovedCounts } from "@/lib/domain/retention";
import { recordControl } from "@/lib/store/control-events";
import { asTenant, type Tx } from "@/lib/store/db";
import { countDue, type RetentionDays } from "@/lib/store/retention-due";
import {
  emptyOldBodies,
  emptyPayloads,
  markCleared,
  removeOldAnswers,
  removeOldNotices,
  removeOldPacks,
  removeOldSessions,
  signersOfNoneElse,
  takeOldRequests,
} from "@/lib/store/retention-removal";
import { retentionDays } from "@/lib/store/retention-rules";
import { endRetentionTurn, takeRetentionTurn } from "@/lib/store/retention-turns";
import { closeKeys } from "@/lib/store/tombstones";
import { destroySubjectKeys, emptyEntries } from "@/lib/store/vault-rows";
import { eraseTexts } from "./erase-subject";
import type { WorkerContext } from "./worker-context";

/** What one transaction takes; a run is as many as it needs. */
const BATCH = 200;

/**
 * One run of the retention job, for the tenant whose turn it is (PV-5): removes or empties what is over its time and
 * held by nobody, in short transactions, and writes one entry with its counts into the history. Entries of operations,
 * seals, keys and hashes stay, so chains and seals still verify and no key is used twice (ID-8). A run that was broken
 * off is made again; what it took is gone by then. Returns 1, or 0 when it is nobody's turn.
 */
export async function runRetention(context: WorkerContext): Promise<number> {
  const tenantId = await takeRetentionTurn(context.owner);
  if (tenantId === null) return 0;
  const days = await retentionDays(context.owner, tenantId);
  const removed = await removeAll(context, tenantId, days);
  const left = await countDue(context.owner, tenantId, days);
  const held = Object.values(left).reduce((sum, one) => sum + one.held, 0);
  await asTenant(context.owner, tenantId, async (tx) => {
    await recordControl(tx, tenantId, {
      kind: "retention_run",
      about: "retention",
      actor: `worker:${context.worker.name}`,
      body: { removed, held, days },
    });
    await endRetentionTurn(tx, tenantId);
  });
  const count = Object.values(removed).reduce((sum, one) => sum + one, 0);
  context.log.info({ event: "retention_run", tenant: tenantId, count });
  return 1;
}

type Step = (tx: Tx) => Promise<number>;

async function removeAll(
  context: WorkerContext,
  tenantId: string,
  days: RetentionDays,
): Promise<RemovedCounts> {
  const all = (step: Step) => untilNone(context, tenantId, step);
  return {
    ...NOTHING_REMOVED,
    inbox: await all((tx) => emptyOldBodies(tx, tenantId, "inbox", days.inbox, BATCH)),
    quarantine: await all((tx) =>
      emptyOldBodies(tx, tenantId, "quarantine", days.quarantine, BATCH),
    ),
    vault: await all((tx) => clearVault(tx, context, tenantId, days.vault)),
    ledger: await all((tx) => clearLedger(tx, tenantId, days.ledger)),
    archive: await all((tx) => removeOldPacks(tx, tenantId, days.archive, BATCH)),
    notices:
      (await all((tx) => removeOldNotices(tx, tenantId, days.notices, BATCH))) +
      (await all((tx) => removeOldAnswers(tx, tenantId, days.notices, BATCH))) +
      (await all((tx) => removeOldSessions(tx, DEFAULT_RULES.notices.days, BATCH))),
  };
}

/** Repeats a step, a transaction each, until it finds nothing more. Returns how much it did. */
async function untilNone(context: WorkerContext, tenantId: string, step: Step): Promise<number> {
  let total = 0;
  for (;;) {
    const count = await asTenant(context.owner, tenantId, step);
    if (count === 0) return total;
    total += count;
  }
}

/** Takes people and texts of requests that ended out of the vault. Returns how many requests. */
async function clearVault(
  tx: Tx,
  { vaultKey }: WorkerContext,
  tenantId: string,
  days: number,
): Promise<number> {
  const refs = await takeOldRequests(tx, tenantId, "vault", days, BATCH);
  if (refs.length === 0) return 0;
  const people = await signersOfNoneElse(tx, tenantId, refs);
  for (const subjectRef of people) await destroySubjectKeys(tx, tenantId, subjectRef);
  for (const kind of ["contact", "text"] as const) await emptyEntries(tx, tenantId, people, kind);
  await eraseTexts(tx, { tenantId, vaultKey }, refs);
  await markCleared(tx, tenantId, "vault", refs);
  return refs.length;
}

/** Takes the payloads of requests that ended out of the ledger; their keys stay closed (ID-8). */
async function clearLedger(tx: Tx, tenantId: string, days: number): Promise<number> {
  const refs = await takeOldRequests(tx, tenantId, "ledger", days, BATCH);
  if (refs.length === 0) return 0;
  await closeKeys(tx, tenantId, refs, "retention");
  const emptied = await emptyPayloads(tx, tenantId, refs);
  await markCleared(tx, tenantId, "ledger", refs);
  // Never 0, or requests without operations would end the run before the rest.
  return Math.max(emptied, refs.length);
}
