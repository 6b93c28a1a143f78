import type { Asked } from "@/lib/domain/asked";
import { asTenant, type Database, type Tx } from "@/lib/store/db";
import { presentPolicy } from "@/lib/store/policies";
import { askedOf } from "./asked";
import { type ContactedSigner, contactedSigners } from "./contact-facts";
import { type ReceiptRow, readsOf } from "./receipts";
import { type RequestHead, requestHead } from "./request-head";

export interface RequestView extends RequestHead {
  readonly operations: readonly RequestOperation[];
  readonly signers: readonly ContactedSigner[];
  readonly reminding: Reminding;
  readonly reads: readonly ReceiptRow[];
}

/** By which rule this request's signers are reminded. */
interface Reminding {
  /** Null where nobody decided since the request was sent. */
  readonly ownerSince: string | null;
  readonly policyVersion: number;
  readonly minIntervalHours: number;
  /** Days between planned reminders; null where none are planned. */
  readonly everyDays: number | null;
  readonly atTime: string;
}

export interface RequestOperation {
  readonly opId: string;
  readonly kind: string;
  readonly state: string;
  readonly reason: string;
  readonly dueAt: string;
  readonly createdAt: string;
  readonly changedAt: string;
  readonly approvedAt: string | null;
  readonly unknownSince: string | null;
  readonly nextLookAt: string | null;
  readonly lastLookAt: string | null;
  readonly looks: number;
  readonly have: number;
  /** Issued when the form opened; a form that lost its answer finds its proposal by it (ID-1). */
  readonly approvalId: string;
  readonly proposedBy: string;
  /** Place in the plan that it belongs to; null for what a person asked for. */
  readonly occurrence: number | null;
  readonly asked: Asked | null;
}

/** How many operations and receipts the page of a request shows, newest first. */
const ROWS_MAX = 100;

/** Everything that the page of one signing request shows; null when the tenant has no such request. */
export async function requestPage(
  db: Database,
  tenantId: string,
  accountId: string,
  ref: string,
): Promise<RequestView | null> {
  return asTenant(db, tenantId, async (tx) => {
    const head = await requestHead(tx, tenantId, accountId, ref);
    if (head === null) return null;
    const operations = await operationsOf(tx, tenantId, ref);
    const reads = await readsOf(tx, tenantId, ref, ROWS_MAX);
    return { ...head, operations, ...(await peopleOf(tx, tenantId, head)), reads };
  });
}

/** The signers with what counts for their next reminder, and the rule behind it. */
async function peopleOf(
  tx: Tx,
  tenantId: string,
  head: RequestHead,
): Promise<Pick<RequestView, "signers" | "reminding">> {
  const { version: policyVersion, policy } = await presentPolicy(tx, tenantId, "remind");
  const owner = await tx.reminderOwner.findFirst({
    where: { tenantId, requestRef: head.ref },
    orderBy: { version: "desc" },
    select: { at: true },
  });
  const { minIntervalHours, everyDays, atTime } = policy;
  return {
    signers: await contactedSigners(tx, tenantId, head, policy),
    reminding: {
      ownerSince: owner?.at.toISOString() ?? null,
      policyVersion,
      minIntervalHours,
      everyDays,
      atTime,
    },
  };
}

async function operationsOf(tx: Tx, tenantId: string, ref: string): Promise<RequestOperation[]> {
  const rows = await tx.operation.findMany({
    where: { tenantId, requestRef: ref },
    orderBy: { createdAt: "desc" },
    take: ROWS_MAX,
    select: {
      opId: true,
      kind: true,
      state: true,
      reason: true,
      dueAt: true,
      createdAt: true,
      changedAt: true,
      approvedAt: true,
      unknownSince: true,
      nextLookAt: true,
      lastLookAt: true,
      looks: true,
      approvalId: true,
      proposedBy: true,
      occurrence: true,
      canonicalText: true,
    },
  });
  const approvals = await tx.approval.groupBy({
    by: ["opId"],
    where: {
      tenantId,
      opId: { in: rows.map(({ opId }) => opId) },
      decision: "approve",
      revokedAt: null,
    },
    _count: { accountId: true },
  });
  const have = new Map(approvals.map(({ opId, _count }) => [opId, _count.accountId]));
  return rows.map(({ canonicalText, ...row }) => ({
    ...row,
    dueAt: row.dueAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    changedAt: row.changedAt.toISOString(),
    approvedAt: row.approvedAt?.toISOString() ?? null,
    unknownSince: row.unknownSince?.toISOString() ?? null,
    nextLookAt: row.nextLookAt?.toISOString() ?? null,
    lastLookAt: row.lastLookAt?.toISOString() ?? null,
    have: have.get(row.opId) ?? 0,
    asked: askedOf(canonicalText),
  }));
}
