import type { HistoryFinding } from "@/lib/domain/history-finding";
import { parseScope, scopeText } from "@/lib/domain/history-scope";
import { ownerFor } from "@/lib/domain/owner";
import { asTenant, type Tx } from "@/lib/store/db";
import {
  type CheckCounts,
  clearFindings,
  endCheck,
  insertDueChecks,
  insertFindings,
  noteCheckProgress,
  openHistoryReview,
  TAKES_MAX,
  type TakenCheck,
  takeCheck,
} from "@/lib/store/history-checks";
import type { SealContext } from "./seal-chains";
import { type CheckStep, verifyChains } from "./verify-chains";

/** Every history is checked as a whole once a day, also when nobody asks. */
const DAILY_MS = 86_400_000;
const LEASE_MS = 300_000;
/** What is found beyond this is counted only: whoever changed so much is not found entry by entry. */
const FINDINGS_KEPT = 1_000;
/** Review items of one check; the check itself lists the rest. */
const ITEMS_MAX = 50;

/**
 * One round of checks of the history (SM-4): asks for those of the day, takes one and makes it. What does not fit
 * becomes a finding, and a review item for compliance. Returns how many were made. A check whose worker died is
 * made again by another.
 */
export async function runChecks(context: SealContext): Promise<number> {
  await insertDueChecks(context.owner, DAILY_MS, scopeText({ kind: "all" }));
  const check = await takeCheck(context.owner, LEASE_MS);
  if (check === null) return 0;
  const { tenantId } = check;
  if (check.takes > TAKES_MAX) {
    await asTenant(context.db, tenantId, (tx) => endCheck(tx, check, "failed"));
    context.log.error({ event: "check_given_up", tenant: tenantId, count: check.takes });
    return 1;
  }
  const counts = await make(context, check);
  if (counts === null) return 1;
  const entry = { tenant: tenantId, count: counts.findings } as const;
  if (counts.findings > 0) context.log.error({ event: "history_changed", ...entry });
  else context.log.info({ event: "history_verified", ...entry, count: counts.entries });
  return 1;
}

/** Null when another worker has the check by now. */
async function make({ db }: SealContext, check: TakenCheck): Promise<CheckCounts | null> {
  const { tenantId } = check;
  let counts: CheckCounts = { chains: 0, entries: 0, seals: 0, findings: 0 };
  await asTenant(db, tenantId, (tx) => clearFindings(tx, check));
  for await (const step of verifyChains(db, tenantId, parseScope(check.scope))) {
    const before = counts.findings;
    counts = added(counts, step);
    const kept = await asTenant(db, tenantId, async (tx) => {
      if (!(await noteCheckProgress(tx, check, counts, LEASE_MS))) return false;
      await keep(tx, check, before, step.findings);
      return true;
    });
    if (!kept) return null;
  }
  const ended = await asTenant(db, tenantId, (tx) => endCheck(tx, check, "done"));
  return ended ? counts : null;
}

function added(counts: CheckCounts, step: CheckStep): CheckCounts {
  return {
    chains: counts.chains + step.chains,
    entries: counts.entries + step.entries,
    seals: counts.seals + step.seals,
    findings: counts.findings + step.findings.length,
  };
}

async function keep(
  tx: Tx,
  check: TakenCheck,
  before: number,
  findings: readonly HistoryFinding[],
): Promise<void> {
  const kept = findings.slice(0, Math.max(0, FINDINGS_KEPT - before));
  if (kept.length > 0) await insertFindings(tx, check, before + 1, kept);
  const owner = ownerFor("compliance", {
    proposer: null,
    approver: null,
    requestOwner: null,
    connectionOwner: "",
  });
  for (const finding of findings.slice(0, Math.max(0, ITEMS_MAX - before))) {
    const { opId, entry, sealSeq, fault } = finding;
    // The words of the reason name an entry and an operation, or the seal where there is none.
    const evidence = {
      n: entry ?? sealSeq ?? 0,
      op: opId ?? `seal ${sealSeq}`,
      fault,
      check: check.id,
    };
    await openHistoryReview(tx, check.tenantId, { opId, owner, evidence });
  }
}
