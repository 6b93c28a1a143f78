import type { CapabilityDescriptor } from "@/lib/domain/capability";
import { isTerminal, type PlatformRequest } from "@/lib/domain/observation";
import { type OutboxType, typeOfEnd } from "@/lib/domain/outbox";
import { finalStatus } from "@/lib/domain/reached";
import type { Tx } from "@/lib/store/db";
import { disputeOutbox, hastenSweep, releaseOutbox, writeOutbox } from "@/lib/store/outbox";
import { requestPeople } from "@/lib/store/request-people";
import { openRequestReview } from "@/lib/store/review-items";

/** An authoritative read that is in the mirror. */
interface Shown {
  readonly requestRef: string;
  readonly request: PlatformRequest;
  readonly receiptId: string;
  readonly startedAt: Date;
  readonly descriptor: CapabilityDescriptor;
}

/**
 * What an authoritative read means for those who are told (IN-9, OB-1), in the transaction that mirrors it: an end
 * that it shows is released or, when nobody had reported it yet, written and released; an end that was only claimed
 * and that it does not show stays held, and a review item opens. Call it after the mirror is written.
 */
export async function handOff(tx: Tx, tenantId: string, shown: Shown): Promise<void> {
  const { request, requestRef, receiptId } = shown;
  if (isTerminal(request.status)) {
    const released = await releaseOutbox(tx, tenantId, requestRef, request.status, receiptId);
    if (released === 0) {
      const type = typeOfEnd(request.status);
      const cause = { receipt: receiptId };
      await writeOutbox(tx, tenantId, { requestRef, type, cause, released: true });
    }
  }
  await disputeClaims(tx, tenantId, shown);
}

/**
 * The part of it that also holds for a read which the mirror does not take over, because it holds a final end that an
 * event claimed: what waits and is not shown stays held, and a person looks (IN-9).
 */
export async function disputeClaims(tx: Tx, tenantId: string, shown: Shown): Promise<void> {
  const { request, requestRef, receiptId, startedAt, descriptor } = shown;
  const { visibilityMs } = descriptor.times.other;
  const lagMs = visibilityMs === "unknown" ? 0 : visibilityMs;
  const disputed = await disputeOutbox(tx, tenantId, requestRef, {
    status: request.status,
    receiptId,
    startedAt,
    lagMs,
  });
  if (disputed.length > 0) await tellDispute(tx, tenantId, shown, disputed);
  await hastenSweep(tx, tenantId, requestRef, lagMs);
}

async function tellDispute(
  tx: Tx,
  tenantId: string,
  { request, requestRef, receiptId, startedAt, descriptor }: Shown,
  disputed: readonly OutboxType[],
): Promise<void> {
  const { owner } = await requestPeople(tx, tenantId, requestRef);
  const final = finalStatus(request, descriptor) !== null;
  for (const type of disputed) {
    const claimed = type.slice("request.".length);
    await openRequestReview(tx, tenantId, {
      requestRef,
      reason: final ? "contradicting_end" : "drift_status",
      owner: final ? "team:on-call" : owner,
      evidence: {
        receipt: receiptId,
        a: claimed,
        b: request.status,
        new: claimed,
        old: request.status,
        moment: startedAt.toISOString(),
        observed: request.status,
      },
    });
  }
}
