import { clocksApartMs, driftsOf } from "@/lib/domain/drift";
import { type PlatformRequest, TERMINAL_STATUSES } from "@/lib/domain/observation";
import { ownerFor } from "@/lib/domain/owner";
import type { ConnectionRow } from "@/lib/store/connections";
import type { Tx } from "@/lib/store/db";
import type { DueSweep, SweptRequest } from "@/lib/store/drift-sweeps";
import { presentPolicy } from "@/lib/store/policies";
import { openRequestReview } from "@/lib/store/review-items";

interface Finding {
  readonly reason: string;
  readonly evidence: object;
}

/** What differs from the mirror, and clocks that are too far apart. */
export async function compare(
  tx: Tx,
  tenantId: string,
  before: SweptRequest,
  seen: PlatformRequest | null,
): Promise<readonly Finding[]> {
  const expiresAt = before.expiresAt?.toISOString() ?? null;
  const found: Finding[] = driftsOf({ ...before, expiresAt }, seen).map(
    ({ reason, ...evidence }) => ({ reason, evidence }),
  );
  const apart = seen === null ? null : await clocksApart(tx, tenantId, before, seen);
  return apart === null ? found : [...found, { reason: "clocks_disagree", evidence: apart }];
}

/** The request's owner, whom its differences are told to (RV-1). Never empty. */
export function ownerOf({ ownerAccountId }: SweptRequest, connection: ConnectionRow): string {
  return ownerFor("request", {
    proposer: null,
    approver: null,
    requestOwner: ownerAccountId && `account:${ownerAccountId}`,
    connectionOwner: connection.owner,
  });
}

/** Opens one item per finding that is not open already. Returns the reasons of those that it opened. */
export async function openReviews(
  tx: Tx,
  { tenantId, ref }: DueSweep,
  owner: string,
  found: readonly Finding[],
): Promise<readonly string[]> {
  const opened: string[] = [];
  for (const { reason, evidence } of found) {
    const item = { requestRef: ref, reason, owner, evidence };
    if (await openRequestReview(tx, tenantId, item)) opened.push(reason);
  }
  return opened;
}

/**
 * TM-1: evidence of a platform expiry further from the business deadline than the policy for extensions tolerates;
 * null while they are near enough, while one of them is not known, or while a new deadline is on its way.
 */
export async function clocksApart(
  tx: Tx,
  tenantId: string,
  before: SweptRequest,
  seen: { readonly status: string; readonly expiresAt: string | null },
): Promise<object | null> {
  if ((TERMINAL_STATUSES as readonly string[]).includes(seen.status)) return null;
  if (before.deadlineUnderWay || before.businessDeadlineAt === null) return null;
  const business = before.businessDeadlineAt.toISOString();
  const { toleranceMinutes } = (await presentPolicy(tx, tenantId, "extend")).policy;
  const apartMs = clocksApartMs(business, seen.expiresAt, toleranceMinutes);
  if (apartMs === null) return null;
  return {
    a: business,
    b: seen.expiresAt,
    apart_ms: apartMs,
    tolerance_minutes: toleranceMinutes,
  };
}
